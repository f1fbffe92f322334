// Package answers reduces what EC2 and the AWS price list answer to a data set of the catalog: the one that is embedded,
// and one that overrides it (catalog.Override).
//
// It is pure: who asks AWS, and where the text goes, is not its business. What a record cannot hold is never dropped in
// silence: a [LeftOut] names it.
package answers
