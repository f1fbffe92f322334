// Package templates holds projects to begin with, for `pulumi new PATH` and for `gpuyard init`, which give the same files.
//
// Each folder is a template: a Pulumi project with its go.mod, a blueprint and a README, in which ${PROJECT} and
// ${DESCRIPTION} stand for what the user calls the project. Go embeds no folder with a go.mod of its own, so the executable
// carries them as one archive, templates.txtar, which a test writes and holds to the folders.
package templates
