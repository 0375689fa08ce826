//go:build linux || darwin

package app

import "syscall"

// diskSpace is what a user without privileges may still write, and the disk's size.
func diskSpace(dir string) (free, total uint64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, 0, err
	}
	size := uint64(s.Bsize) //nolint:gosec,unconvert // its type differs between systems; never negative
	return s.Bavail * size, s.Blocks * size, nil
}
