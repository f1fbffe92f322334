package stacks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
)

// fetchRate is how fast weights are fetched at start in MB/s, as far as explain counts with it: between 100 and 200 are
// usual from S3 on one connection, and a start must be measured in any case.
const fetchRate = 100

// A bound is a limit of a service and how much of it a block uses.
type bound struct {
	name       string
	used, most string
	share      float64
}

// first says which of several bounds is hit first, and what stands how near to it.
func first(bounds []bound) (name, all string) {
	slices.SortStableFunc(bounds, func(a, b bound) int { return cmp.Compare(b.share, a.share) })
	var names, texts []string
	for _, b := range bounds {
		if b.share == bounds[0].share {
			names = append(names, b.name)
		}
		texts = append(texts, fmt.Sprintf("%s %s of %s", b.name, b.used, b.most))
	}
	return strings.Join(names, " and "), strings.Join(texts, ", ")
}

func explainLambda(p *Plan, s *blueprint.Serverless) []Fact {
	f := s.Lambda
	var sec Section
	image := repositoryOf(p, s) + ":" + f.Image.Tag.Value
	why := "asked of the registry when the plan runs, which runs the tag's digest from then on"
	if f.Image.Digest.Value != "" {
		image, why = repositoryOf(p, s)+"@"+f.Image.Digest.Value, stated(f.Image.Digest)
	}
	sec.add("image", image, why)
	sec.add("memory", fmt.Sprintf("%d MiB", f.Memory.Value), stated(f.Memory))
	sec.add("ephemeral storage", fmt.Sprintf("%d MiB", f.EphemeralStorage.Value), stated(f.EphemeralStorage))
	sec.add("timeout", f.Timeout.Value.String(), stated(f.Timeout))
	price, warmKnown := catalog.LambdaPrices(p.Blueprint.Environment.Region.Value, f.Architecture.Value)
	source := catalog.LambdaPriceSource
	if !price.Exact {
		source += fmt.Sprintf("; that of %s stands in", price.Region)
	}
	sec.add("at rest", lambdaAtRest(f, price, warmKnown), source)
	sec.add("per run", lambdaPerRun(f, price, warmKnown), source)
	sec.Facts = append(sec.Facts, lambdaStart(f)...)
	name, all := first(lambdaBounds(f))
	sec.add("limit hit first", name, all)
	return sec.Facts
}

// gb is a number of MiB in the unit that Lambda bills.
func gb(mib int) float64 { return float64(mib) / 1024 }

func lambdaAtRest(f *blueprint.Lambda, price catalog.LambdaPrice, known bool) string {
	n := f.ProvisionedConcurrency.Value
	switch {
	case n == 0:
		return "nothing for the function: no copy is kept warm. The image is stored at ECR's price"
	case !known:
		return fmt.Sprintf("%d copies of %.4g GB are kept warm, at a price that is not known for %s", n, gb(f.Memory.Value), f.Architecture.Value)
	default:
		hour := float64(n) * gb(f.Memory.Value) * price.WarmGBSecond * 3600
		return fmt.Sprintf("%.4f USD an hour, %.2f a month, for %d copies of %.4g GB kept warm", hour, hour*730, n, gb(f.Memory.Value))
	}
}

// runLength is how long a run is that explain counts with.
func runLength(expected blueprint.Value[time.Duration]) (time.Duration, string) {
	if expected.IsSet() {
		return expected.Value, "a run of " + expected.Value.String()
	}
	return time.Minute, "a run of one minute, since expected_run is not given"
}

func lambdaPerRun(f *blueprint.Lambda, price catalog.LambdaPrice, known bool) string {
	length, what := runLength(f.ExpectedRun)
	tmp := gb(f.EphemeralStorage.Value-catalog.LambdaTmpMiBMin) * price.TmpGBSecond
	run := func(perGB float64) float64 {
		return length.Seconds()*(gb(f.Memory.Value)*perGB+tmp) + price.Request
	}
	text := fmt.Sprintf("%.6f USD for %s", run(price.GBSecond), what)
	if f.ProvisionedConcurrency.Value > 0 && known {
		text += fmt.Sprintf("; %.6f on a warm copy", run(price.WarmRunGBSecond))
	}
	return text
}

// lambdaStart says what a start consists of. None of it is promised: it has to be measured.
func lambdaStart(f *blueprint.Lambda) []Fact {
	fetch := "no weights to fetch"
	if w := f.Weights; w != nil {
		fetch = "weights of a size that is not given (weights.size)"
		if w.Size.Value > 0 {
			fetch = fmt.Sprintf("%d MiB of weights, about %.0f s at %d MB/s", w.Size.Value, float64(w.Size.Value)*1.048576/fetchRate, fetchRate)
		}
	}
	parts := "a copy of the image's blocks that are read, the runtime, the function's own initialization, " + fetch
	cold := Fact{"cold start", parts, fmt.Sprintf("initialization has %d s on demand and begins again in the first call if it takes longer; measure it", catalog.LambdaInitSeconds)}
	if n := f.ProvisionedConcurrency.Value; n > 0 {
		return []Fact{
			{"warm start", fmt.Sprintf("the first %d calls at once find a copy that has done all of it", n), stated(f.ProvisionedConcurrency)},
			cold,
		}
	}
	return []Fact{cold}
}

func lambdaBounds(f *blueprint.Lambda) []bound {
	run, what := f.Timeout.Value, f.Timeout.Value.String()
	if f.ExpectedRun.IsSet() {
		run, what = f.ExpectedRun.Value, f.ExpectedRun.Value.String()+" expected"
	}
	memory, storage := f.Memory.Value, f.EphemeralStorage.Value
	if w := f.Weights; w != nil && w.Size.Value > 0 {
		need, most := catalog.LambdaWeightsNeed(w.Size.Value)
		memory = most
		if strings.HasPrefix(w.Path.Value, "/tmp/") {
			storage = need
		}
	}
	mib := func(name string, n, most int) bound {
		return bound{name, fmt.Sprint(n), fmt.Sprintf("%d MiB", most), float64(n) / float64(most)}
	}
	return []bound{
		{"the run", what, "15m", run.Seconds() / catalog.LambdaTimeoutMax},
		mib("memory", memory, catalog.LambdaMemoryMiBMax),
		mib("ephemeral storage", storage, catalog.LambdaTmpMiBMax),
	}
}
