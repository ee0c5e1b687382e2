// Package pair measures a product against a peer: both in turn inside one loop,
// so that what else the machine does hits both, and the median of the pair-wise
// ratios as the result.
package pair

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
)

// Pairs is how many pairs a ratio has at least, whatever -benchtime says.
const Pairs = 7

// Ratio runs the product and the peer in turn and reports "ratio", the median of
// the time of one over that of the other. Each runs once before, unmeasured.
// "cpu-ratio" is the same of processor time, children included: on a busy machine
// it is the steadier of the two. Compare the outputs before calling it.
func Ratio(b *testing.B, product, peer func()) {
	b.Helper()
	product()
	peer()
	var ratios, cpus, products, peers []float64
	measure := func() {
		var p, q, pCPU, qCPU float64
		if len(ratios)%2 == 0 { // neither is always the first
			p, pCPU = seconds(product)
			q, qCPU = seconds(peer)
		} else {
			q, qCPU = seconds(peer)
			p, pCPU = seconds(product)
		}
		ratios, cpus = append(ratios, p/q), append(cpus, pCPU/qCPU)
		products, peers = append(products, p), append(peers, q)
	}
	for b.Loop() {
		measure()
	}
	for len(ratios) < Pairs {
		measure()
	}
	b.ReportMetric(0, "ns/op") // the two together mean nothing
	b.ReportMetric(Median(ratios), "ratio")
	b.ReportMetric(Median(cpus), "cpu-ratio")
	b.ReportMetric(Median(products)*1e3, "product-ms")
	b.ReportMetric(Median(peers)*1e3, "peer-ms")
}

// seconds measures one run, wall and processor. The garbage of the run before is
// not on its bill.
func seconds(run func()) (wall, cpu float64) {
	runtime.GC()
	start, used := time.Now(), processor()
	run()
	return max(time.Since(start).Seconds(), 1e-9), max((processor() - used).Seconds(), 1e-9)
}

// processor returns the processor time of this process and of its children that
// have ended.
func processor() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}

// Allocated reports as the named metric how many bytes the function allocates
// for each byte of its input.
func Allocated(b *testing.B, metric string, input int, run func()) {
	b.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(input), metric)
}

// Slope reports as "slope" how the processor time of a job grows with its size: 1
// when double the size takes double the time. prepare makes the job of a size and
// is not measured. The sizes are run in turn, and the median counts.
func Slope(b *testing.B, sizes []int, prepare func(size int) func()) {
	b.Helper()
	jobs := make([]func(), len(sizes))
	for i, size := range sizes {
		jobs[i] = prepare(size)
		jobs[i]()
	}
	times := make([][]float64, len(sizes))
	measure := func() {
		for i, job := range jobs {
			_, cpu := seconds(job)
			times[i] = append(times[i], cpu)
		}
	}
	for b.Loop() {
		measure()
	}
	for len(times[0]) < Pairs {
		measure()
	}
	xs, ys := make([]float64, len(sizes)), make([]float64, len(sizes))
	for i, size := range sizes {
		xs[i], ys[i] = math.Log(float64(size)), math.Log(Median(times[i]))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(slope(xs, ys), "slope")
}

// slope fits a line by least squares and returns its slope.
func slope(xs, ys []float64) float64 {
	mx, my := mean(xs), mean(ys)
	var up, down float64
	for i := range xs {
		up += (xs[i] - mx) * (ys[i] - my)
		down += (xs[i] - mx) * (xs[i] - mx)
	}
	return up / down
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// Median returns the middle of the values, of two the larger. It panics without
// a value.
func Median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
