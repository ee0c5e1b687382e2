package proc

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// refused are the system calls that no test needs and that have been the way out
// of sandboxes: mounts, kernel modules and keys, raw devices, namespaces.
var refused = []string{
	"acct", "add_key", "bpf", "clock_adjtime", "clock_settime", "delete_module", "finit_module", "fsconfig", "fsmount", "fsopen", "fspick", "init_module",
	"kexec_file_load", "kexec_load", "keyctl", "lookup_dcookie", "mount", "mount_setattr", "move_mount", "move_pages", "nfsservctl", "open_by_handle_at",
	"open_tree", "perf_event_open", "pivot_root", "quotactl", "quotactl_fd", "reboot", "request_key", "setns", "settimeofday", "stime", "swapoff", "swapon",
	"syslog", "umount", "umount2", "userfaultfd", "vhangup",
}

// absent are the system calls that programs do without when the kernel does not
// have them. clone3 hides its flags from a filter; io_uring bypasses filters.
var absent = []string{"clone3", "io_uring_enter", "io_uring_register", "io_uring_setup"}

// intrusive are the system calls that reach into other processes. In a process
// namespace there are none but the program's own.
var intrusive = []string{"kcmp", "process_vm_readv", "process_vm_writev", "ptrace"}

// newNamespaces are the flags of clone and unshare that make a namespace.
const newNamespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// filterCalls has the kernel refuse system calls for this thread and what it
// starts. It reports false when the kernel or this processor is not known.
func filterCalls(p *plan) (bool, error) {
	info, err := arch.GetInfo("")
	if err != nil || !seccomp.Supported() {
		return false, nil
	}
	policy := seccomp.Policy{DefaultAction: seccomp.ActionAllow, Syscalls: callGroups(p, info)}
	instructions, err := policy.Assemble()
	if err != nil {
		return false, fmt.Errorf("filter system calls: %w", err)
	}
	// The policy lets calls of another processor's table pass, such as 32-bit
	// ones on a 64-bit kernel. Refuse them first.
	instructions = slices.Concat([]bpf.Instruction{
		bpf.LoadAbsolute{Off: 4, Size: 4}, // the architecture, see seccomp(2)
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(info.ID), SkipTrue: 1},
		bpf.RetConstant{Val: uint32(errno(unix.ENOSYS))},
	}, instructions)
	raw, err := bpf.Assemble(instructions)
	if err != nil {
		return false, fmt.Errorf("filter system calls: %w", err)
	}
	filter := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		filter[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, code := unix.RawSyscall(unix.SYS_PRCTL, unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(filter)
	if code != 0 {
		return false, fmt.Errorf("filter system calls: %w", code)
	}
	return true, nil
}

func callGroups(p *plan, info *arch.Info) []seccomp.SyscallGroup {
	names := slices.Clone(refused)
	if p.Means == Landlock {
		names = append(names, intrusive...)
	}
	namespace := func(name string) seccomp.NameWithConditions {
		return seccomp.NameWithConditions{Name: name, Conditions: []seccomp.Condition{{Argument: 0, Operation: seccomp.BitsSet, Value: newNamespaces}}}
	}
	return []seccomp.SyscallGroup{
		{Action: errno(unix.EPERM), Names: known(names, info)},
		{Action: errno(unix.ENOSYS), Names: known(absent, info)},
		{Action: errno(unix.EPERM), NamesWithCondtions: []seccomp.NameWithConditions{namespace("clone"), namespace("unshare")}},
		{Action: errno(unix.EAFNOSUPPORT), NamesWithCondtions: []seccomp.NameWithConditions{{Name: "socket", Conditions: otherThan(families(p))}}},
	}
}

// families are the kinds of sockets that may be made. Without a namespace a
// socket reaches the machine's network and its services, so there are none.
func families(p *plan) []uint64 {
	if p.Means == Landlock && !p.Network {
		return []uint64{unix.AF_NETLINK}
	}
	return []uint64{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}
}

func otherThan(values []uint64) (all seccomp.ArgumentConditions) {
	for _, v := range values {
		all = append(all, seccomp.Condition{Argument: 0, Operation: seccomp.NotEqual, Value: v})
	}
	return all
}

// known returns the names that the processor's table has: it is an error to
// name another.
func known(names []string, info *arch.Info) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		_, ok := info.SyscallNames[n]
		return !ok
	})
}

// errno is the action that makes a call fail with code.
func errno(code unix.Errno) seccomp.Action {
	return seccomp.ActionErrno&^0xffff | seccomp.Action(code)
}
