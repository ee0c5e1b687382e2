package proc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Mode says how much of a sandbox is wanted.
type Mode string

// The modes. The zero Mode is Auto.
const (
	Auto     Mode = "auto"     // the strongest walls that the machine offers, which may be none
	Required Mode = "required" // do not run without a wall around the files and one around the network
	Off      Mode = "off"      // no walls; Overlays are honoured all the same
)

// ParseMode returns the mode that s names; "" is Auto.
func ParseMode(s string) (Mode, error) {
	switch m := Mode(s); m {
	case "":
		return Auto, nil
	case Auto, Required, Off:
		return m, nil
	}
	return "", fmt.Errorf("sandbox %q: want auto, required or off", s)
}

// The layers of a sandbox, as Result.Sandbox names them.
const (
	LayerFiles      = "private files"     // a file tree that holds only what was named, read-only
	LayerProcesses  = "private processes" // sees and signals no process but its own
	LayerNoNetwork  = "no network"        // loopback alone
	LayerBubblewrap = "bubblewrap"        // the three above were made by bwrap
	LayerLandlock   = "landlock"          // the kernel refuses paths that were not named
	LayerSeccomp    = "seccomp"           // system calls that tests do not need are refused
	LayerNoNewPrivs = "no new privileges" // setuid programs do not raise rights; capabilities are dropped
	LayerLimits     = "limits"            // on file size, processes and memory
)

// Walled reports whether layers hold a wall around the files and, unless network
// was asked for, one around the network.
func Walled(layers []string, network bool) bool {
	files := slices.Contains(layers, LayerFiles) || slices.Contains(layers, LayerLandlock)
	return files && (network || slices.Contains(layers, LayerNoNetwork))
}

// ErrUnwalled is why Required refuses to run.
var ErrUnwalled = errors.New("sandbox required, but this machine cannot keep a program from files and network: allow unprivileged user namespaces, install bubblewrap, or choose --sandbox auto")

// ComposeError says that this machine cannot show a folder that Sandbox.Overlays
// asks for. The caller can make a copy and bind that instead.
type ComposeError struct {
	At  string
	Err string
}

func (e *ComposeError) Error() string {
	return fmt.Sprintf("compose %s: %s", e.At, e.Err)
}

// Sandbox is what a program may see and use. Besides the system's own folders
// (/usr, /bin, /lib, /opt, the harmless part of /etc, a fresh /proc and /dev,
// an empty /tmp) it sees only what is named here; the rest of the machine, the
// user's home above all, does not exist for it. Paths that do not exist are
// passed over in Read and Hide, and are an error elsewhere.
type Sandbox struct {
	Mode     Mode
	Read     []string  // files and folders that it sees where they are, read-only
	Binds    []Bind    // folders that it sees elsewhere, or may write
	Overlays []Overlay // folders made of several
	Hide     []string  // what of all these it must not see: made empty
	Limits   Limits
	Scratch  string // folder for what a run needs on disk meanwhile; "" is the system's temporary folder
	Means    Means  // how to make it; "" is the strongest that the machine offers
}

// Bind shows the folder or file Host at the path At.
type Bind struct {
	Host  string `json:"host"`
	At    string `json:"at"`
	Write bool   `json:"write,omitempty"`
}

// Overlay shows several folders as one at the path At. Nothing is copied and no
// layer is written to: what the program writes or deletes lands in Upper. With an
// empty Upper the folder is read-only.
type Overlay struct {
	At     string   `json:"at"`
	Layers []string `json:"layers"` // the uppermost first
	Upper  string   `json:"upper,omitempty"`
	Work   string   `json:"work,omitempty"` // an empty folder beside Upper that the kernel works in
}

// Limits bounds a program and its children. A zero field is no limit.
type Limits struct {
	FileBytes   uint64 `json:"file_bytes,omitempty"`   // of one file that is written
	Processes   int    `json:"processes,omitempty"`    // alive at once, threads included
	MemoryBytes int64  `json:"memory_bytes,omitempty"` // resident, all processes together
}

// DefaultLimits keeps a program from taking the machine down, and no test suite we
// know from running: three quarters of the memory, as many processes as the
// runtimes of a large suite have threads, and files of 16 GiB.
func DefaultLimits() Limits {
	return Limits{FileBytes: 16 << 30, Processes: 8192, MemoryBytes: memory() / 4 * 3}
}

// Means is how a sandbox is made on this machine.
type Means string

// The means, from the strongest.
const (
	Namespaces Means = "namespaces" // the kernel's, by ourselves: as root, or in a user namespace
	Bubblewrap Means = "bubblewrap" // by bwrap, where only it may make namespaces
	Landlock   Means = "landlock"   // without namespaces: rules and refused system calls
	Bare       Means = "bare"       // limits alone

	composeOnly Means = "compose" // overlays in the machine's own file tree, no walls
)

// Support is what this machine offers.
type Support struct {
	Means    Means
	Layers   []string // that hold around a program without network
	Overlays bool     // Sandbox.Overlays work
	Notes    []string // why something stronger is not offered
}

// String describes s in one line.
func (s Support) String() string {
	return fmt.Sprintf("%s (%s)", s.Means, strings.Join(s.Layers, ", "))
}
