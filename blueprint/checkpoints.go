package blueprint

import (
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
)

// Checkpoints says what a store has to hold of a training job and how fast: the arithmetic of it is shown and judged.
type Checkpoints struct {
	Parameters Value[float64]       `bp:"parameters,required" min:"1" max:"1e15" doc:"Parameters of the model, such as 70e9."`
	Every      Value[time.Duration] `bp:"every,required" min:"60" doc:"Time between checkpoints."`
	Keep       Value[int]           `bp:"keep" default:"3" min:"1" doc:"Newest checkpoints that the store holds at once."`
	MaxStall   Value[time.Duration] `bp:"max_stall" default:"2m" min:"1" doc:"Longest time that the job may stand still for one checkpoint."`
	CrossZone  Value[bool]          `bp:"cross_zone" default:"false" doc:"A job can go on from them in another zone."`
	Range      hcl.Range
}

// BytesPerParameter is what a checkpoint holds of each parameter in mixed precision: 2 bytes of weights, and in full
// precision 4 of weights and 8 of the two moments of Adam.
const BytesPerParameter = 2 + 4 + 4 + 4

// Bytes is the size of one checkpoint.
func (c *Checkpoints) Bytes() int64 { return int64(c.Parameters.Value * BytesPerParameter) }

// known reports whether the blueprint says enough to reckon with: what is in error says nothing.
func (c *Checkpoints) known() bool { return c != nil && c.Parameters.IsSet() && c.Every.IsSet() }

// BytesPerDay is what a job writes in a day.
func (c *Checkpoints) BytesPerDay() int64 {
	return int64(float64(c.Bytes()) * float64(24*time.Hour) / float64(c.Every.Value))
}

// Seconds is how long one checkpoint takes at a rate in bytes a second.
func (c *Checkpoints) Seconds(rate int64) float64 { return float64(c.Bytes()) / float64(rate) }

// Checkpoints returns what the store has to hold of a training job, nil where the blueprint does not say.
func (s *Storage) Checkpoints() *Checkpoints {
	switch {
	case s.S3 != nil:
		return s.S3.Checkpoints
	case s.FSxLustre != nil:
		return s.FSxLustre.Checkpoints
	case s.Ceph != nil:
		return s.Ceph.Checkpoints
	default:
		return nil
	}
}

// HoldsCheckpoints reports whether a store is for checkpoints: it says so itself, its name does, or the platform saves
// there.
func (b *Blueprint) HoldsCheckpoints(s *Storage) bool {
	if s.Checkpoints() != nil || b.Platform != nil && b.Platform.Checkpointing != nil && b.Platform.Checkpointing.Volume.Value == s {
		return true
	}
	return strings.Contains(s.Name.Value, "checkpoint") || strings.Contains(s.Name.Value, "ckpt")
}

// ExportedTo reports whether a file system writes the files of its folder back to a bucket.
func (b *Blueprint) ExportedTo(bucket *Storage) bool {
	for _, s := range b.Storage {
		if f := s.FSxLustre; f != nil && f.LinkedTo.Value == bucket && f.Export.Value {
			return true
		}
	}
	return false
}

// Versioned reports whether a bucket keeps what is overwritten or deleted: as it says, and otherwise where it holds
// checkpoints, and where deleting a file deletes the object of a data set.
func (b *Blueprint) Versioned(s *Storage) bool {
	if s.S3.Versioned.IsSet() {
		return s.S3.Versioned.Value
	}
	return b.HoldsCheckpoints(s) || b.ExportedTo(s)
}
