// Package remote runs scripts on hosts over SSH: one connection a host, one script a connection.
//
// A [Dialer] holds what hosts share: known host keys, keys of one's own, connections to bastions, and limits. It gives
// a [Runner] for each [Target].
//
// Rules:
//   - A host's key is verified always. A key that is not known and a key that has changed are different errors, and
//     neither is ever accepted by itself; see [Options.TrustNewKeys] for what first-use trust risks.
//   - Every wait has an end: the handshake has a deadline on the raw connection, since [ssh.ClientConfig] limits the TCP
//     connection alone; a peer that falls silent is found by keepalives with a deadline of their own; a context closes the
//     connection.
//   - An error says what may be done about it ([Kind]): nothing, other credentials, again, or look first what happened.
//   - A script arrives on standard input in one channel whose request is not waited for. No terminal, no files, sudo -n
//     once.
package remote
