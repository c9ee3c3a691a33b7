package main

import "github.com/spf13/cobra"

func auditCommand() *cobra.Command {
	return group("audit", "Prove whether letters were lawful, and that much was owed", auditForeign())
}
