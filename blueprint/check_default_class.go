package blueprint

import "github.com/hashicorp/hcl/v2"

// checkDefaultClass refuses two stores that both take claims without a class: Kubernetes gives them to the newest, and
// says nothing.
//
// Source: Kubernetes, "Storage Classes", default StorageClass.
func checkDefaultClass(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	first := ""
	for _, s := range b.Storage {
		v := s.defaultClass()
		if !v.Value {
			continue
		}
		if first != "" {
			diags = append(diags, errorf(v.Range, "Two default classes", "Claims without a class get volumes of storage.%s already. Leave default_class out in one of them.", first))
			continue
		}
		first = s.Name.Value
	}
	return diags
}

// defaultClass is what a store says of claims without a class.
func (s *Storage) defaultClass() Value[bool] {
	switch {
	case s.Ceph != nil:
		return s.Ceph.DefaultClass
	case s.LocalNVMe != nil:
		return s.LocalNVMe.DefaultClass
	default:
		return Value[bool]{}
	}
}

// HasDefaultClass reports whether claims without a class get volumes of a store: of the one that says so, or else of Ceph.
func (b *Blueprint) HasDefaultClass(s *Storage) bool {
	if v := s.defaultClass(); v.IsSet() || s.Ceph == nil {
		return v.Value
	}
	for _, other := range b.Storage {
		if other.defaultClass().Value {
			return false
		}
	}
	return true
}
