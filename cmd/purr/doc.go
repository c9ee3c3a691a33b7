// Command purr is a self-hosted invoicing and dunning service. Each file holds a subcommand or a group of subcommands,
// and has its name. A command reads its flags, calls one function of app/operator or of the domain, and writes columns or JSON. Nothing is
// decided here. The flags of the settings are declared by the rooms that they set.
package main
