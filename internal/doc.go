// Package internal is the room of the program's tools: what knows nothing of invoices.
//
//   - clock gives the time: the system's, or the test clock's, which moves every part of the program together. Nothing else
//     asks the operating system what time it is.
//   - config gathers the settings that the rooms declare: flags, environment, secrets in files.
//   - disk writes files that appear whole or not at all, and asks how much room is left.
//   - remote is a folder on another machine, by SFTP.
//   - devtools are the tools of those who write purr; the program has none of them.
//
// The package itself is empty. Its folders may import models and each other, and no other room.
package internal
