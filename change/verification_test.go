package change

import "testing"

func TestVerificationOK(t *testing.T) {
	yes, no := true, false
	for _, tt := range []struct {
		name string
		v    *Verification
		want *bool
	}{
		{"all passed", of(Pass, Pass), &yes},
		{"one failed", of(Pass, Fail), &no},
		{"a failure outweighs an unknown", of(Unknown, Fail), &no},
		{"one unknown is not a pass", of(Pass, Unknown), nil},
		{"a status that is none of the three is not a pass", of(Pass, ""), nil},
		{"no check", of(), nil},
		{"no verification", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.v.OK()
			if (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
				t.Errorf("OK() = %v, want %v", word(got), word(tt.want))
			}
		})
	}
}

func of(statuses ...Status) *Verification {
	v := &Verification{}
	for _, s := range statuses {
		v.Checks = append(v.Checks, Check{Status: s})
	}
	return v
}

func word(ok *bool) string {
	switch {
	case ok == nil:
		return "unknown"
	case *ok:
		return "true"
	}
	return "false"
}
