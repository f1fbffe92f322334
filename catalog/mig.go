package catalog

// MIGProfile is a way to split a GPU into equal parts.
type MIGProfile struct {
	// Name is NVIDIA's, such as "1g.5gb".
	Name string
	// PerGPU is how many parts of it one GPU holds.
	PerGPU int
}

// MIGProfiles returns the even splits of the GPU, the finest first; none if it cannot be split. A type that has a part
// of a GPU cannot split it further.
//
// Sources: NVIDIA gpu-operator v26.7.0, MIG manager configuration; for RTX PRO 6000, NVIDIA MIG User Guide,
// "Supported MIG Profiles".
func (a Accelerator) MIGProfiles() []MIGProfile {
	if a.Maker != MakerNVIDIA || a.Fraction < 1 {
		return nil
	}
	switch a.Name {
	case "A100":
		if a.MemoryMiB <= 40960 {
			return sevenths("1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb")
		}
		return sevenths("1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb")
	case "H100":
		return sevenths("1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb")
	case "H200":
		return sevenths("1g.18gb", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb")
	case "B200":
		return sevenths("1g.23gb", "1g.45gb", "2g.45gb", "3g.90gb", "4g.90gb", "7g.180gb")
	case "B300":
		return sevenths("1g.34gb", "1g.67gb", "2g.67gb", "3g.135gb", "4g.135gb", "7g.269gb")
	case "RTX PRO Server 6000":
		return []MIGProfile{{"1g.24gb", 4}, {"2g.48gb", 2}, {"4g.96gb", 1}}
	}
	return nil
}

// sevenths gives the counts that every data center GPU with seven compute slices shares.
func sevenths(one, oneWide, two, three, four, seven string) []MIGProfile {
	return []MIGProfile{{one, 7}, {oneWide, 4}, {two, 3}, {three, 2}, {four, 1}, {seven, 1}}
}
