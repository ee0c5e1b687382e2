package secret

import "testing"

// FuzzScan scans any text: every hit lies inside it and can be judged.
func FuzzScan(f *testing.F) {
	f.Add("a.go", "const TOKEN = \"tms_live_9f8e7d6c5b4a3f2e1d0\"\n\n%41%42 \\u0041 U+0041 ")
	f.Add(".env", "PASSWORD=kR8vq2LmZ91x\ncurl -u a:b\n-----BEGIN PRIVATE KEY-----\n")
	f.Add("a.yaml", "kind: Secret\ndata:\n  a: Z2hwX3dXUHc1azRhWGNhVDRmTlAwVWNuWndKVVZGazZM\n")
	scanner := &Scanner{}
	f.Fuzz(func(t *testing.T, path, text string) {
		hits, err := scanner.Scan(t.Context(), path, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		last := newLines([]byte(text)).at(len(text))
		for _, h := range hits {
			h.Fake()
			if h.Line < 0 || h.EndLine < h.Line || h.EndLine > last {
				t.Errorf("a hit of %s is on lines %d to %d of %d", h.Rule, h.Line, h.EndLine, last)
			}
		}
	})
}
