package sarif

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEachLine(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 10_000) + `"}`
	var got []string
	err := eachLine(bufio.NewReaderSize(strings.NewReader("{}\n\n \t\r\n"+long+"\r\n{\"b\":1}"), 16), func(v raw) error {
		got = append(got, string(v))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"{}", long, `{"b":1}`}, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// FuzzRaw reads valid objects as encoding/json does.
func FuzzRaw(f *testing.F) {
	for _, seed := range []string{
		`{"a":1,"b":"x","c":[1,{"d":"]"}],"e":null,"f":true}`, ` { "a" : "\"\\" , "" : {} } `, `{"a":-1.5e3,"b":"\ud800"}`, "{\"a\":\"\xff\"}", `{"a":[]}`, `{}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want map[string]json.RawMessage
		if json.Unmarshal(data, &want) != nil || want == nil {
			return
		}
		object := raw(bytes.TrimSpace(data))
		for key, value := range want {
			got := object.member(key)
			if got == nil || bytes.Count(data, []byte(`"`+key+`"`)) > 1 {
				continue // written with escapes, or twice
			}
			if string(got) != string(value) {
				t.Errorf("member(%q) of %s = %s, want %s", key, data, got, value)
			}
			if s := ""; json.Unmarshal(value, &s) == nil && s != got.text() {
				t.Errorf("text of %s = %q, want %q", value, got.text(), s)
			}
		}
	})
}
