package catalog

// What one AWS Lambda function may have at most and at least.
// Source: Lambda Developer Guide, "Lambda quotas"; Lambda API, CreateFunction.
const (
	LambdaMemoryMiBMin  = 128
	LambdaMemoryMiBMax  = 10240
	LambdaTmpMiBMin     = 512
	LambdaTmpMiBMax     = 10240
	LambdaTimeoutMax    = 900   // seconds
	LambdaImageMiBMax   = 10240 // uncompressed
	LambdaInitSeconds   = 10    // on demand; what takes longer begins again inside the first call
	LambdaQueueTimeouts = 6     // how many timeouts a queue's visibility should be; source: "Using Lambda with Amazon SQS"
)

// LambdaPrice is what AWS Lambda costs in one region, in USD.
type LambdaPrice struct {
	// GBSecond is a second of running with one GB of memory; Request is one call.
	GBSecond, Request float64
	// WarmGBSecond is a second of being kept warm with one GB, and WarmRunGBSecond what a second of running costs then.
	WarmGBSecond, WarmRunGBSecond float64
	// TmpGBSecond is a second of running with one GB of ephemeral storage beyond the first 512 MB.
	TmpGBSecond float64
	// Region is the region whose prices these are; Exact says that it is the one that was asked for.
	Region string
	Exact  bool
}

// LambdaPriceSource says where the prices of LambdaPrices are from.
const LambdaPriceSource = "AWS Pricing Calculator's feed for Lambda, first tier, read as an undated copy on 2026-11-30"

// lambdaRegions are the prices of x86_64 functions: kept warm, running while kept warm, ephemeral storage, each for a GB
// and a second. Running on demand costs the same in all of them.
func lambdaRegions() map[string][3]float64 {
	us := [3]float64{0.0000041667, 0.0000097222, 0.0000000309}
	return map[string][3]float64{
		"us-east-1":      us,
		"us-east-2":      us,
		"us-west-2":      us,
		"us-west-1":      {0.0000049041, 0.0000114430, 0.0000000370},
		"ca-central-1":   {0.0000046460, 0.0000108407, 0.0000000340},
		"eu-west-1":      {0.0000046460, 0.0000108407, 0.0000000340},
		"eu-west-2":      {0.0000048304, 0.0000112709, 0.0000000358},
		"eu-west-3":      {0.0000048673, 0.0000113569, 0.0000000358},
		"eu-central-1":   {0.0000050147, 0.0000117011, 0.0000000367},
		"eu-north-1":     {0.0000044248, 0.0000103245, 0.0000000323},
		"ap-south-1":     {0.0000044985, 0.0000104966, 0.0000000352},
		"ap-northeast-1": {0.0000053835, 0.0000125615, 0.0000000370},
		"ap-northeast-2": {0.0000051254, 0.0000119592, 0.0000000352},
		"ap-southeast-1": {0.0000051991, 0.0000121313, 0.0000000370},
		"ap-southeast-2": {0.0000052360, 0.0000122173, 0.0000000370},
		"sa-east-1":      {0.0000066372, 0.0000154867, 0.0000000586},
	}
}

// LambdaPrices returns what a function costs in a region. Where that is not known, us-east-1 stands in and Exact is
// false. For arm64 the prices of being kept warm are not known, and the second result is false.
func LambdaPrices(region, architecture string) (LambdaPrice, bool) {
	known := lambdaRegions()
	_, exact := known[region]
	if !exact {
		region = standInRegion
	}
	p := LambdaPrice{
		GBSecond: 0.0000166667, Request: 0.0000002, Region: region, Exact: exact,
		WarmGBSecond: known[region][0], WarmRunGBSecond: known[region][1], TmpGBSecond: known[region][2],
	}
	if architecture == "arm64" {
		p.GBSecond, p.WarmGBSecond, p.WarmRunGBSecond = 0.0000133334, 0, 0
		return p, false
	}
	return p, true
}

// LambdaWeightsNeed returns how much ephemeral storage and memory, in MiB, a function needs for model weights of a size:
// a fifth more than they have, and half a GiB of memory for the runtime. Pages of a mapped file count as memory of the
// function as well, so that mapping avoids a second copy and not the first.
func LambdaWeightsNeed(sizeMiB int) (tmpMiB, memoryMiB int) {
	tmpMiB = sizeMiB + (sizeMiB+4)/5
	return tmpMiB, tmpMiB + 512
}
