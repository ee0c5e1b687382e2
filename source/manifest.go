package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// remembered is what a file was when it was hashed.
type remembered struct {
	kind byte
	stamp
	hash [sha256.Size]byte
}

// stamp is what changes when a file changes, without reading it. Times are in
// nanoseconds. The change time cannot be set back by a program, as the
// modification time can.
type stamp struct {
	size, modified, changed int64
	inode                   uint64
}

const (
	manifestHead = "reviewgate folder 1\n"
	maxManifest  = 1 << 30 // bytes

	// settled is how much older than the walk a file must be for its hash to
	// be kept: two writes within one tick of the file system's clock look
	// like one. FAT's tick is 2 s, the coarsest in use.
	settled = 2 * time.Second
)

// readManifest returns the files that were hashed before. A manifest that is
// not there, broken or of another version is empty.
func readManifest(cacheDir, dir string) map[string]remembered {
	if cacheDir == "" {
		return nil
	}
	name := manifestName(cacheDir, dir)
	if info, err := os.Stat(name); err != nil || info.Size() > maxManifest {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	files, err := decodeManifest(data)
	if err != nil {
		return nil
	}
	return files
}

var errManifest = errors.New("manifest is broken")

// decodeManifest reads what encodeManifest wrote.
func decodeManifest(data []byte) (map[string]remembered, error) {
	data, ok := bytes.CutPrefix(data, []byte(manifestHead))
	if !ok || len(data) < sha256.Size {
		return nil, errManifest
	}
	sum := [sha256.Size]byte(data)
	data = data[sha256.Size:]
	if sha256.Sum256(data) != sum {
		return nil, errManifest
	}
	files := map[string]remembered{}
	const fixed = 1 + 4*8 + sha256.Size
	for len(data) > 0 {
		length, n := binary.Uvarint(data)
		if n <= 0 || length > uint64(len(data)-n) || uint64(len(data)-n)-length < fixed {
			return nil, errManifest
		}
		path := string(data[n : n+int(length)])
		data = data[n+int(length):]
		number := func(i int) uint64 { return binary.LittleEndian.Uint64(data[1+8*i:]) }
		files[path] = remembered{
			kind:  data[0],
			stamp: stamp{size: int64(number(0)), modified: int64(number(1)), changed: int64(number(2)), inode: number(3)},
			hash:  [sha256.Size]byte(data[1+4*8:]),
		}
		data = data[fixed:]
	}
	return files, nil
}

// encodeManifest writes the files that had settled before the walk started.
func encodeManifest(files []file, started time.Time) []byte {
	limit := started.Add(-settled).UnixNano()
	var body []byte
	for i := range files {
		f := &files[i]
		if f.modified > limit || f.changed > limit {
			continue
		}
		body = binary.AppendUvarint(body, uint64(len(f.path)))
		body = append(body, f.path...)
		body = append(body, f.kind)
		for _, n := range []uint64{uint64(f.size), uint64(f.modified), uint64(f.changed), f.inode} {
			body = binary.LittleEndian.AppendUint64(body, n)
		}
		body = append(body, f.hash[:]...)
	}
	return seal(body)
}

// seal puts the head and a checksum before the body of a manifest.
func seal(body []byte) []byte {
	sum := sha256.Sum256(body)
	return append(append([]byte(manifestHead), sum[:]...), body...)
}

// writeManifest keeps the hashes for the next time. It replaces the old manifest
// at once, so that several processes may do so.
func writeManifest(cacheDir, dir string, files []file, started time.Time) error {
	name := manifestName(cacheDir, dir)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(name), ".part-")
	if err != nil {
		return err
	}
	_, err = part.Write(encodeManifest(files, started))
	err = errors.Join(err, part.Close())
	if err == nil {
		err = os.Rename(part.Name(), name)
	}
	if err != nil {
		os.Remove(part.Name())
	}
	return err
}
