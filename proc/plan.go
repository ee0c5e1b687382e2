package proc

// Marker is the first argument of a re-executed program that is to set up a
// sandbox; see [Child].
const Marker = "__sandbox"

// The file descriptors that a re-executed program finds open, after the three
// that every program has.
const (
	planFD   = 3 // the plan as a line of JSON; end of file means that the gate is gone
	reportFD = 4 // reports, a line of JSON each
)

// plan is what the gate asks of the program that it re-executes: the walls to
// build and the program to run behind them.
type plan struct {
	Means    Means    `json:"means"`
	User     bool     `json:"user"` // in a user namespace, so without root's rights outside
	Args     []string `json:"args"`
	Dir      string   `json:"dir"`
	Env      []string `json:"env"`
	Root     string   `json:"root"`     // an empty folder to build the file tree on
	Mounts   []mount  `json:"mounts"`   // the file tree, parents first
	Readable []string `json:"readable"` // what it sees of the machine, for landlock
	Network  bool     `json:"network"`
	Limits   Limits   `json:"limits"`
	Probe    bool     `json:"probe"` // build the walls and say so, run nothing
}

// report is what the re-executed program says: first that the program was
// started, or why it was not; then how it ended.
type report struct {
	Layers  []string      `json:"layers,omitempty"`
	Error   string        `json:"error,omitempty"`
	Missing string        `json:"missing,omitempty"` // the program does not exist
	Compose *ComposeError `json:"compose,omitempty"`
	Limit   string        `json:"limit,omitempty"`
	Ended   bool          `json:"ended,omitempty"`
	Exit    int           `json:"exit,omitempty"` // -1 when a signal ended it
}
