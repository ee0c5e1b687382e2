package pair

import (
	"math"
	"testing"
)

func TestMedianIsTheMiddle(t *testing.T) {
	for _, tt := range []struct {
		values []int
		want   int
	}{{[]int{3}, 3}, {[]int{9, 1, 5}, 5}, {[]int{4, 1, 3, 2}, 3}} {
		if got := Median(tt.values); got != tt.want {
			t.Errorf("Median(%v) = %v, want %v", tt.values, got, tt.want)
		}
	}
}

func TestSlopeIsThePowerOfTheGrowth(t *testing.T) {
	for _, power := range []float64{0, 1, 2} {
		var xs, ys []float64
		for _, size := range []float64{1, 2, 4, 8} {
			xs, ys = append(xs, math.Log(size)), append(ys, math.Log(3*math.Pow(size, power)))
		}
		if got := slope(xs, ys); math.Abs(got-power) > 1e-9 {
			t.Errorf("slope of size^%v = %v", power, got)
		}
	}
}
