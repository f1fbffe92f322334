package blueprint

import (
	"slices"
	"time"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// Storage is a place for data, labelled with its kind and name. Exactly one of the pointers is set, by the kind.
type Storage struct {
	// Kind is s3, fsx_lustre, ceph or local_nvme.
	Kind Value[string]
	Name Value[string]
	// Range is the block's header.
	Range hcl.Range

	S3        *S3
	FSxLustre *FSxLustre
	Ceph      *Ceph
	LocalNVMe *LocalNVMe
}

// AllowDataLoss reports whether the blueprint lets the store be replaced or removed with its data. Volumes on local disks
// are lost with their nodes, so nothing of them is kept.
func (s *Storage) AllowDataLoss() bool {
	switch {
	case s.S3 != nil:
		return s.S3.AllowDataLoss.Value
	case s.FSxLustre != nil:
		return s.FSxLustre.AllowDataLoss.Value
	case s.Ceph != nil:
		return s.Ceph.AllowDataLoss.Value || s.Ceph.Scratch.Value
	default:
		return true
	}
}

// S3 is a bucket.
type S3 struct {
	Tier Value[string] `bp:"tier" default:"cold" legal:"hot warm cold" doc:"Where the data stands among the tiers."`
	// SmallFiles says what to do about a data set of many small objects, which S3 serves slowly.
	SmallFiles  Value[string]        `bp:"small_files" default:"allow" legal:"allow shard" doc:"shard warns unless the loader reads tar shards of about 1 GB."`
	ExpireAfter Value[time.Duration] `bp:"expire_after" min:"86400" doc:"Objects are deleted at this age, in whole days."`
	// ArchiveAfter moves objects to Glacier Instant Retrieval.
	ArchiveAfter Value[time.Duration] `bp:"archive_after" min:"2592000" doc:"Objects move to Glacier Instant Retrieval at this age, 30 days or more."`
	// Versioned is on where it is left out and the bucket holds checkpoints or a file system exports to it.
	Versioned Value[bool] `bp:"versioned" doc:"Keep overwritten and deleted objects for a week; left out, for checkpoints and what a file system exports."`
	// ExpressZone makes the bucket a directory bucket.
	ExpressZone Value[string] `bp:"express_zone" form:"zone" doc:"Id of the one zone of a bucket of S3 Express One Zone; left out, it is in all zones."`
	Mount       Value[string] `bp:"mount" default:"read" legal:"none read write" doc:"How pods mount the bucket, by a claim of its name."`
	// Objects and ObjectSize describe a data set, for the arithmetic of small_files.
	Objects       Value[int]   `bp:"objects" min:"1" doc:"Objects of the data set, about."`
	ObjectSize    Value[int]   `bp:"object_size" unit:"KiB" min:"1" doc:"Mean size of an object."`
	LoaderWorkers Value[int]   `bp:"loader_workers" default:"1" min:"1" doc:"Processes that load the data for each accelerator."`
	Checkpoints   *Checkpoints `bp:"checkpoints" doc:"The checkpoints that the bucket holds."`
	AllowDataLoss Value[bool]  `bp:"allow_data_loss" default:"false" doc:"The store may be replaced or removed with all its data."`
}

// FSxLustre is an Amazon FSx for Lustre file system, PERSISTENT_2 on SSD.
//
// Source: FSx for Lustre User Guide, "Deployment and storage class options".
type FSxLustre struct {
	Zone             Value[string]   `bp:"zone,required" form:"zone" doc:"The zone of the file system, written as in network.zones."`
	Size             Value[int]      `bp:"size,required" unit:"GiB" min:"1200" doc:"Capacity, rounded up to what the throughput allows."`
	ThroughputPerTiB Value[int]      `bp:"throughput_per_tib" default:"250" legal:"125 250 500 1000" doc:"MB/s for each TiB."`
	EFA              Value[bool]     `bp:"efa" default:"false" doc:"Serve clients over EFA; can only be chosen at creation."`
	LinkedTo         Value[*Storage] `bp:"linked_to" doc:"Bucket whose objects appear as files."`
	Export           Value[bool]     `bp:"export" default:"true" doc:"Write changed files back to the linked bucket."`
	BackupDays       Value[int]      `bp:"backup_days" default:"7" min:"0" max:"90" doc:"Days that automatic backups are kept; FSx makes none of a file system that is linked to a bucket."`
	Checkpoints      *Checkpoints    `bp:"checkpoints" doc:"The checkpoints that the file system holds."`
	AllowDataLoss    Value[bool]     `bp:"allow_data_loss" default:"false" doc:"The store may be replaced or removed with all its data."`
}

// Ceph is a Rook-Ceph cluster on the raw disks of a pool, or on volumes of EBS.
type Ceph struct {
	Pool Value[*NodePool] `bp:"pool,required" doc:"Pool whose raw local disks hold the data."`
	// VolumeSize is set where the data is on EBS instead.
	VolumeSize Value[int] `bp:"volume_size" unit:"GiB" min:"10" max:"16384" doc:"Hold the data on one EBS volume a node of this size instead of the pool's own disks."`
	// Devices are the disks of each server of a pool of hosts.
	Devices       []Value[string] `bp:"devices" form:"disk" doc:"Disks of each host that hold the data, by a path such as /dev/disk/by-id/…; for a pool of hosts only."`
	Replicas      Value[int]      `bp:"replicas" default:"3" min:"1" max:"5" doc:"Copies of every object."`
	FailureDomain Value[string]   `bp:"failure_domain" legal:"host zone" doc:"What copies are spread over; left out, zone if the pool spans three, else host."`
	Scratch       Value[bool]     `bp:"scratch" default:"false" doc:"The data may be lost, so the pool may be spot or scale down."`
	ObjectStore   Value[bool]     `bp:"object_store" default:"false" doc:"Add a store of objects that speaks S3."`
	DefaultClass  Value[bool]     `bp:"default_class" doc:"Claims that name no storage class get block volumes of this; left out, they do unless another store takes them."`
	Snapshots     *Snapshots      `bp:"snapshots" doc:"Periodic snapshots of every volume."`
	Monitoring    Value[bool]     `bp:"monitoring" default:"false" doc:"Add Ceph's alerts and a Grafana dashboard, with the kinds of the Prometheus operator that they are written in."`
	Checkpoints   *Checkpoints    `bp:"checkpoints" doc:"The checkpoints that the cluster holds."`
	AllowDataLoss Value[bool]     `bp:"allow_data_loss" default:"false" doc:"The store may be replaced or removed with all its data."`
}

// Snapshots are taken periodically.
type Snapshots struct {
	Every Value[time.Duration] `bp:"every,required" min:"3600" doc:"Time between snapshots, an hour or more."`
	Keep  Value[int]           `bp:"keep,required" min:"1" doc:"Snapshots that are kept of each volume."`
	// Namespaces are those of the claims.
	Namespaces []Value[string] `bp:"namespaces" doc:"Namespaces whose claims are snapshotted; left out, default alone."`
	Range      hcl.Range
}

// LocalNVMe are volumes on the local disks of a pool.
type LocalNVMe struct {
	Pool Value[*NodePool] `bp:"pool,required" doc:"Pool whose local disks hold the volumes."`
	Tier Value[string]    `bp:"tier" default:"warm" legal:"hot warm cold" doc:"Where the data stands among the tiers."`
	// DefaultClass is as in Ceph.
	DefaultClass Value[bool] `bp:"default_class" default:"false" doc:"Claims that name no storage class get volumes of this."`
}

// What the volumes of a LocalNVMe are.
const (
	LocalDisks = "disks" // each disk is a volume
	LocalRAID  = "raid0" // a folder on the RAID of the node is its volume
	LocalEBS   = "ebs"   // the nodes have no disks of their own, and volumes are EBS's
)

// Kind says what the volumes are, by what the pool makes of its disks.
func (l *LocalNVMe) Kind() string {
	pool := l.Pool.Value
	switch {
	case pool == nil || pool.LocalStorage.Value == "raid0":
		return LocalRAID
	case pool.Hosts == nil && slices.ContainsFunc(pool.Types, func(t *catalog.InstanceType) bool { return t.Disks == nil }):
		return LocalEBS
	default:
		return LocalDisks
	}
}

func storageBlock() blockType {
	return blockType{
		Name: "storage", Labels: []string{"kind", "name"},
		Doc: "A place for data.",
		ref: "storage",
		Kinds: []blockKind{
			{"s3", "A bucket.", typeOf[S3](), func(m any) any { return made(&m.(*Storage).S3) }},
			{"fsx_lustre", "An FSx for Lustre file system.", typeOf[FSxLustre](), func(m any) any { return made(&m.(*Storage).FSxLustre) }},
			{"ceph", "A Rook-Ceph cluster on the raw disks of a pool.", typeOf[Ceph](), func(m any) any { return made(&m.(*Storage).Ceph) }},
			{"local_nvme", "Volumes on the local disks of a pool.", typeOf[LocalNVMe](), func(m any) any { return made(&m.(*Storage).LocalNVMe) }},
		},
		add: func(b *Blueprint, h header) any {
			s := &Storage{Kind: h.kind, Name: h.name, Range: h.at}
			b.Storage = append(b.Storage, s)
			return s
		},
	}
}
