package vmtest

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed disk.sh
var diskScript string

const (
	sector     = 512
	partition  = 2048 // the first sector of the partition; GRUB is in front of it
	diskMiB    = 2048
	partitions = 446 // where the table begins in the first sector
)

// makeDisk makes a disk that a BIOS starts from, with the files of a folder over a Debian.
func makeDisk(dir, debian string) (string, error) {
	out, err := exec.Command("sh", "-c", diskScript, "disk.sh", dir, debian, fmt.Sprint(diskMiB)).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("making a disk: %w: %s", err, out)
	}
	boot, err := os.ReadFile(filepath.Join(dir, "boot.img"))
	if err != nil {
		return "", err
	}
	core, err := os.ReadFile(filepath.Join(dir, "core.img"))
	if err != nil {
		return "", err
	}
	first, err := bootSectors(boot, core)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "disk.img")
	disk, err := os.Create(path)
	if err != nil {
		return "", err
	}
	root, err := os.Open(filepath.Join(dir, "root.img"))
	if err != nil {
		return "", errors.Join(err, disk.Close())
	}
	_, err = disk.Write(first)
	if err == nil {
		_, err = io.Copy(disk, root)
	}
	return path, errors.Join(err, disk.Close(), root.Close(), os.Remove(root.Name()))
}

// bootSectors is what stands in front of the partition: GRUB's first sector with the partition table in it, and GRUB. Both
// images are made for this very place: the first loads the second from sector 1, and that one has the rest from sector 2.
//
// Source: GRUB, grub-core/boot/i386/pc/boot.S and diskboot.S.
func bootSectors(boot, core []byte) ([]byte, error) {
	if len(boot) != sector || sector+len(core) > partition*sector {
		return nil, fmt.Errorf("GRUB's images are %d and %d bytes, which do not fit", len(boot), len(core))
	}
	out := make([]byte, partition*sector)
	copy(out, boot)
	copy(out[sector:], core)
	entry := out[partitions : partitions+64]
	clear(entry)
	entry[0] = 0x80 // the one to start from
	entry[4] = 0x83 // Linux
	binary.LittleEndian.PutUint32(entry[8:], partition)
	binary.LittleEndian.PutUint32(entry[12:], diskMiB<<20/sector)
	out[510], out[511] = 0x55, 0xaa
	return out, nil
}
