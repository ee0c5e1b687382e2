package change

import "time"

// Applied is the answer to applying a change's patch to a copy of the base.
type Applied struct {
	OK        bool     `json:"ok"`
	Conflicts []string `json:"conflicts"` // files that git named, each once, in order
	Detail    string   `json:"detail,omitempty"`
}

// Status is the outcome of one check. Unknown is never a pass.
type Status string

// The three outcomes of a check.
const (
	Pass    Status = "pass"
	Fail    Status = "fail"
	Unknown Status = "unknown" // the tool is missing, or nothing ran
)

// Check is one command of the verify gate and how it ended.
type Check struct {
	Name          string        `json:"name"` // "go test", "node --test"
	Status        Status        `json:"status"`
	Reason        string        `json:"reason,omitempty"` // why, for fail and unknown: "exit status 1", "node is not on PATH"
	Command       []string      `json:"command,omitempty"`
	Duration      time.Duration `json:"-"`
	DurationMS    int64         `json:"duration_ms"`
	Output        string        `json:"output"` // capped, head and tail kept
	AlsoRedOnBase bool          `json:"also_red_on_base,omitempty"`
	Cached        bool          `json:"cached,omitempty"`  // the answer of an earlier run over the same tree and command
	NoTool        bool          `json:"no_tool,omitempty"` // unknown because the tool is not installed
}

// Verification is what the verify gate found out about one patched tree.
type Verification struct {
	Checks     []Check  `json:"checks"`
	DurationMS int64    `json:"duration_ms"`        // wall time of all checks together
	Sandbox    []string `json:"sandbox"`            // layers that held while the checks ran: "bubblewrap", "no network", "landlock", …
	Detected   []string `json:"detected,omitempty"` // what the checks were chosen from: "go.mod", "package.json"
}

// OK reports the outcome of all checks together: false when one failed, nil
// when one could not be established or there was none, true when all passed.
func (v *Verification) OK() *bool {
	if v == nil || len(v.Checks) == 0 {
		return nil
	}
	ok, unknown := true, false
	for _, c := range v.Checks {
		ok = ok && c.Status != Fail
		unknown = unknown || c.Status != Pass && c.Status != Fail
	}
	if ok && unknown {
		return nil
	}
	return &ok
}

// Failed returns the names of the checks that failed, in order.
func (v *Verification) Failed() []string { return v.named(Fail) }

// Unestablished returns the names of the checks whose outcome is unknown, in order.
func (v *Verification) Unestablished() []string { return v.named(Unknown) }

func (v *Verification) named(s Status) []string {
	var names []string
	if v == nil {
		return nil
	}
	for _, c := range v.Checks {
		if c.Status == s {
			names = append(names, c.Name)
		}
	}
	return names
}
