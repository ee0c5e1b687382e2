package git

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strconv"
)

// errOddIndex says that an index is not as parseIndex expects: git itself must
// read it, or say what is wrong with it.
var errOddIndex = errors.New("index has something unusual")

// indexEntry is one file of an index.
type indexEntry struct {
	path []byte
	mode Mode
	id   []byte
}

// cachedTree is what an index remembers of a folder: its id when nothing below
// it was added since that was computed, and the same for its folders.
type cachedTree struct {
	count   int // files below it; -1 when the id does not hold any more
	id      []byte
	folders map[string]*cachedTree
}

// index is a git index, as far as a tree is made of it.
// Its slices share memory with the bytes that were parsed.
type index struct {
	entries []indexEntry // sorted by path, as git sorts
	cache   *cachedTree  // nil when there is none
}

// Flags of an index entry, from gitformat-index.
const (
	flagStage      = 0x3000
	flagExtended   = 0x4000
	extIntentToAdd = 0x2000
)

// parseIndex reads an index of version 2, 3 or 4 whose ids have idLen bytes.
// Files that are not to be committed yet ("git add -N") are left out. A split
// or sparse index, one with an unfinished merge and a broken one are
// errOddIndex. The checksum at the end is not looked at: what is unsound shows
// as objects that are not there.
func parseIndex(data []byte, idLen int) (*index, error) {
	if len(data) < 12+idLen || string(data[:4]) != "DIRC" {
		return nil, errOddIndex
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	body := data[12 : len(data)-idLen]
	if version < 2 || version > 4 || uint64(count)*uint64(idLen) > uint64(len(body)) {
		return nil, errOddIndex
	}
	ix := &index{entries: make([]indexEntry, 0, count)}
	var last []byte
	for range count {
		entry, size, wanted, err := parseIndexEntry(body, idLen, version == 4, last)
		if err != nil || len(last) > 0 && bytes.Compare(entry.path, last) <= 0 {
			return nil, errOddIndex
		}
		last, body = entry.path, body[size:]
		if wanted {
			ix.entries = append(ix.entries, entry)
		}
	}
	return ix, ix.extensions(body, idLen)
}

// parseIndexEntry reads the entry that body begins with. last is the path of
// the entry before, which version 4 leaves out as far as it is the same.
func parseIndexEntry(body []byte, idLen int, packed bool, last []byte) (entry indexEntry, size int, wanted bool, err error) {
	const modeAt, idAt = 24, 40 // after times, device and inode; after owner and size
	if len(body) < idAt+idLen+4 {
		return entry, 0, false, errOddIndex
	}
	flags := binary.BigEndian.Uint16(body[idAt+idLen:])
	size, wanted = idAt+idLen+2, true
	if flags&flagExtended != 0 {
		wanted = binary.BigEndian.Uint16(body[size:])&extIntentToAdd == 0
		size += 2
	}
	if flags&flagStage != 0 {
		return entry, 0, false, errOddIndex
	}
	keep := 0
	if packed {
		drop, n := offsetVarint(body[size:])
		if n == 0 || drop > len(last) {
			return entry, 0, false, errOddIndex
		}
		keep = len(last) - drop
		size += n
	}
	end := bytes.IndexByte(body[size:], 0)
	if end < 0 || keep+end == 0 {
		return entry, 0, false, errOddIndex
	}
	path := body[size : size+end]
	size += end + 1
	if packed {
		path = append(last[:keep:keep], path...)
	} else {
		size = (size + 7) &^ 7 // padded with zeros to eight bytes
	}
	mode := Mode(binary.BigEndian.Uint32(body[modeAt:]))
	if size > len(body) || mode != File && mode != Executable && mode != Symlink && mode != Submodule {
		return entry, 0, false, errOddIndex
	}
	return indexEntry{path: path, mode: mode, id: body[idAt : idAt+idLen]}, size, wanted, nil
}

// offsetVarint reads a number the way that git writes offsets; n is 0 when it
// is cut off or larger than a path can be.
func offsetVarint(data []byte) (value, n int) {
	for n < len(data) && n < 4 {
		c := data[n]
		n++
		value += int(c & 0x7f)
		if c&0x80 == 0 {
			return value, n
		}
		value = (value + 1) << 7
	}
	return 0, 0
}

// extensions reads what follows the entries. Those with a name in small letters
// change what the entries mean.
func (ix *index) extensions(body []byte, idLen int) error {
	for len(body) > 0 {
		if len(body) < 8 {
			return errOddIndex
		}
		name, size := string(body[:4]), uint64(binary.BigEndian.Uint32(body[4:]))
		body = body[8:]
		if size > uint64(len(body)) || name[0] < 'A' || name[0] > 'Z' {
			return errOddIndex
		}
		if name == "TREE" {
			cache, rest, _, err := parseCachedTree(body[:size], idLen, 0)
			if err != nil || len(rest) > 0 {
				return errOddIndex
			}
			ix.cache = cache
		}
		body = body[size:]
	}
	return nil
}

// maxTreeDepth is how deep folders may lie: a path of 4,096 bytes has no more.
const maxTreeDepth = 2048

// parseCachedTree reads one folder and those below it: name, zero, number of
// files, blank, number of folders, line end, id unless the first is -1.
func parseCachedTree(data []byte, idLen, depth int) (tree *cachedTree, rest []byte, name string, err error) {
	nameBytes, data, ok1 := bytes.Cut(data, []byte{0})
	countText, data, ok2 := bytes.Cut(data, []byte{' '})
	foldersText, data, ok3 := bytes.Cut(data, []byte{'\n'})
	count, err1 := strconv.Atoi(string(countText))
	folders, err2 := strconv.Atoi(string(foldersText))
	if !ok1 || !ok2 || !ok3 || errors.Join(err1, err2) != nil || count < -1 || folders < 0 || depth > maxTreeDepth {
		return nil, nil, "", errOddIndex
	}
	tree = &cachedTree{count: count}
	if count >= 0 {
		if len(data) < idLen {
			return nil, nil, "", errOddIndex
		}
		tree.id, data = data[:idLen], data[idLen:]
	}
	if folders > len(data) {
		return nil, nil, "", errOddIndex
	}
	tree.folders = make(map[string]*cachedTree, folders)
	for range folders {
		folder, rest, name, err := parseCachedTree(data, idLen, depth+1)
		if err != nil {
			return nil, nil, "", err
		}
		tree.folders[name], data = folder, rest
	}
	return tree, data, string(nameBytes), nil
}
