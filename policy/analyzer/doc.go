// Package analyzer serves a policy pack to the Pulumi engine. It takes the packs that policyx describes and speaks the
// protocol that policyx.Main speaks, and is here for what that does not do:
//
//   - A resource is decoded once and handed to every policy. policyx.Main decodes it once a policy, which for a pack of
//     dozens is nearly all of what a resource costs.
//   - A pack that has a Configure method is given the configuration of all its policies before anything is judged; see
//     [Configurable].
//   - A pack describes itself before it is told about a stack, as `pulumi policy analyze` and `pulumi policy publish` ask.
//   - The process ends with the engine, also with one that was killed.
//
// Nothing here knows a policy. A test holds every answer against policyx.Main's.
package analyzer
