package external

import (
	"reflect"
	"testing"

	"github.com/reviewgate/reviewgate/finding"
)

func FuzzDecode(f *testing.F) {
	const good = `{"findings":[{"file":"a.go","line":1,"severity":"minor","category":"style","message":"too long a line","confidence":1}],"summary":"A line is too long."`
	for _, seed := range []string{
		good + `,"cost_usd":0.5,"turns":2,"session_id":"s"}`, good + "}", `{"cost_usd":1e999}`, `{"cost_usd":1,"cost_usd":2}`,
		`[]`, `null`, `{"turns":null}`, `{"cost_usd":0.1`, `{"":{},"":[]} {}`, "{\"a\xff\":1}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, output []byte) {
		got, err := decode(output)
		if got.CostUSD < 0 || got.CostUSD != got.CostUSD || got.Turns < 0 {
			t.Errorf("decode(%q) costs %v in %d turns", output, got.CostUSD, got.Turns)
		}
		for _, found := range got.Findings {
			if err := found.Validate(); err != nil {
				t.Errorf("decode(%q) lets through %+v: %v", output, found, err)
			}
		}
		plain, plainErr := finding.Decode(output)
		if plainErr == nil && (err != nil || !reflect.DeepEqual(got.Document, plain)) {
			t.Errorf("decode(%q) = %+v, %v, but it is a findings document as it is: %+v", output, got.Document, err, plain)
		}
	})
}
