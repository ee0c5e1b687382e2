package proc

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// killAll kills every process that the program of p started. In a process
// namespace that is everybody else; without one it is whoever descends from us,
// again and again until none is left, for a process may start another while we
// look.
func killAll(p *plan) {
	if p.Means == Namespaces || p.Means == Bubblewrap {
		syscall.Kill(-1, syscall.SIGKILL)
		return
	}
	for range 100 { // a bound for what starts faster than we kill
		alive := descendants(os.Getpid())
		if len(alive) == 0 {
			return
		}
		for _, pid := range alive {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(time.Millisecond) // they need to be scheduled once to die
	}
}

// descendants returns the living processes that descend from pid.
func descendants(pid int) []int {
	children := map[int][]int{}
	for _, p := range processes(false) {
		if p.state != "Z" {
			children[p.parent] = append(children[p.parent], p.pid)
		}
	}
	var found []int
	for todo := []int{pid}; len(todo) > 0; todo = todo[1:] {
		found = append(found, children[todo[0]]...)
		todo = append(todo, children[todo[0]]...)
	}
	return found
}

// process is one process as /proc shows it.
type process struct {
	pid, parent, threads int
	state                string
	resident             int64 // bytes of its own, without what it shares
}

// processes returns every process that /proc shows, with its memory if asked.
func processes(memory bool) []process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var all []process
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if p, ok := readProcess(pid); ok {
				if memory {
					p.resident = residentBytes(pid)
				}
				all = append(all, p)
			}
		}
	}
	return all
}

// readProcess reads /proc/PID/stat; the fields count from the closing
// parenthesis on, for the name before it may hold anything. See proc(5).
func readProcess(pid int) (process, bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, false
	}
	text := string(data)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 18 {
		return process{}, false
	}
	p := process{pid: pid, state: fields[0]}
	p.parent, _ = strconv.Atoi(fields[1])
	p.threads, _ = strconv.Atoi(fields[17])
	return p, true
}

// residentBytes reads what pid holds in memory without what it shares.
func residentBytes(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, resident, shared int64
	fmt.Sscan(string(data), &size, &resident, &shared)
	return (resident - shared) * int64(os.Getpagesize())
}

// watchEvery is how often the processes are counted: often enough that a fork
// bomb has not filled the machine, seldom enough to cost nothing.
const watchEvery = 200 * time.Millisecond

// watch calls over, once, when the processes behind the walls exceed limits.
func watch(limits Limits, over func(limit string)) {
	for range time.Tick(watchEvery) {
		var threads int
		var memory int64
		self := os.Getpid()
		for _, p := range processes(true) {
			if p.pid != self {
				threads += p.threads
				memory += p.resident
			}
		}
		if max := limits.MemoryBytes; max > 0 && memory > max {
			over(fmt.Sprintf("more than %d MB of memory", max>>20))
			return
		}
		if max := limits.Processes; max > 0 && threads > max {
			over(fmt.Sprintf("more than %d processes", max))
			return
		}
	}
}
