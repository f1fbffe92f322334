package storage

// lustreThroughputs are the throughputs in MB/s for each TiB that PERSISTENT_2 has on SSD.
// Source: FSx API, CreateFileSystemLustreConfiguration, PerUnitStorageThroughput.
func lustreThroughputs() []int { return []int{125, 250, 500, 1000} }

// Sizes of file systems without EFA, in GiB: the smallest one, and the step of all others.
// Source: FSx API, CreateFileSystem, StorageCapacity.
const (
	smallestLustre = 1200
	lustreStep     = 2400
)

// LustreCapacity returns the smallest size in GiB that FSx makes and that holds what is wanted, and the step between
// sizes. Without EFA that is 1,200 and then steps of 2,400; with EFA whole sets of servers are made, and the step is the
// larger the less each of them serves.
// Source: FSx for Lustre User Guide, "Increasing storage capacity".
func LustreCapacity(wantedGiB, throughputPerTiB int, efa bool) (gib, step int) {
	step = lustreStep
	if efa {
		step = 4800 * 1000 / throughputPerTiB
	} else if wantedGiB <= smallestLustre {
		return smallestLustre, step
	}
	return max(1, (wantedGiB+step-1)/step) * step, step
}

// LustreThroughput returns what a file system serves in all, in MB/s.
func LustreThroughput(gib, throughputPerTiB int) int { return gib * throughputPerTiB / 1024 }
