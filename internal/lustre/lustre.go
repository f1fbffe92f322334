// Package lustre knows the sizes and speeds of file systems of Amazon FSx for Lustre, PERSISTENT_2 on SSD.
//
// A blueprint is judged by them and a component refuses by them, so they are neutral ground.
package lustre

import "slices"

// Throughputs are the throughputs in MB/s for each TiB that there are.
// Source: FSx API, CreateFileSystemLustreConfiguration, PerUnitStorageThroughput.
func Throughputs() []int { return []int{125, 250, 500, 1000} }

// Sizes of file systems without EFA, in GiB: the smallest one, and the step of all others.
// Source: FSx API, CreateFileSystem, StorageCapacity.
const (
	smallest = 1200
	plain    = 2400
)

// Capacity returns the smallest size in GiB that FSx makes and that holds what is wanted, and the step between sizes.
// Without EFA that is 1,200 and then steps of 2,400; with EFA whole sets of servers are made, and the step is the larger
// the less each of them serves: 4,800 at 1000 MB/s for each TiB, 38,400 at 125.
//
// It returns zeroes for a throughput that there is not.
// Source: FSx for Lustre User Guide, "Increasing storage capacity".
func Capacity(wantedGiB, throughputPerTiB int, efa bool) (gib, step int) {
	switch {
	case !slices.Contains(Throughputs(), throughputPerTiB):
		return 0, 0
	case efa:
		step = 4800 * 1000 / throughputPerTiB
	case wantedGiB <= smallest:
		return smallest, plain
	default:
		step = plain
	}
	return max(1, (wantedGiB+step-1)/step) * step, step
}

// Throughput returns what a file system serves in all, in MB/s.
func Throughput(gib, throughputPerTiB int) int { return gib * throughputPerTiB / 1024 }
