package nodeprep

import "sync"

// items are all items, in the order in which a host is prepared: first what decides whether others apply, then kernel
// and services, then drivers, then what stands on drivers. A new item is a line here. They are made once, for whole
// fleets are judged by them.
var items = sync.OnceValue(func() []item {
	return []item{
		tuned(),
		upgrades(),
		needrestart(),
		timeSync(),
		swap(),
		kernelModules(),
		sysctl(),
		transparentHugepages(),
		hugepages(),
		limits(),
		governor(),
		readAhead(),
		rings(),
		irq(),
		rdmaCore(),
		kernelLine(),
		nvidiaDriver(),
		persistence(),
		gdrcopy(),
		gpuDirect(),
		habanaDriver(),
		habanaLinks(),
		habanaEnvironment(),
		efa(),
		roce(),
		nccl(),
		topology(),
		raid0(),
		containerd(),
		containerToolkit(),
		clusterJoin(),
	}
})
