package pack

var imageRepository = Policy{
	Name: "image-repository", Level: Advisory, Area: Serverless,
	Summary: "In a repository of images a tag names one image for ever, and images are scanned.",
	Why: "A tag that can be pushed again runs other code tomorrow than was tested today, on whatever starts next. An image that nobody " +
		"scans keeps its known vulnerabilities.",
	Fix:    "Set `imageTagMutability` to `IMMUTABLE`, and `imageScanningConfiguration.scanOnPush` to true where the registry has no scanning of its own.",
	Tokens: []string{tokenRepository},

	Resource: func(r *Resource, _ Config) []Finding {
		var findings []Finding
		if text, ok := r.Get("imageTagMutability").TextOr("MUTABLE"); ok && text == "MUTABLE" {
			findings = append(findings, one("A tag can be pushed again: imageTagMutability is %s.", r.Get("imageTagMutability").Quote())...)
		}
		if scans, ok := r.Get("imageScanningConfiguration", "scanOnPush").FlagOr(false); ok && !scans {
			findings = append(findings, one("Images are not scanned when they are pushed.")...)
		}
		return findings
	},
}
