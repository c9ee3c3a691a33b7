package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/models"
)

func keysCommand() *cobra.Command {
	return group("keys", "Create, list and revoke API keys", keysCreate(), keysList(), keysRevoke())
}

func keysCreate() *cobra.Command {
	var scope, name string
	c := &cobra.Command{Use: "create", Short: "Create an API key and print it, only this once", Args: cobra.NoArgs}
	c.Flags().StringVar(&scope, "scope", string(models.ScopeWrite), "read, write or admin")
	c.Flags().StringVar(&name, "name", "", "what the key is for")
	creditor := creditorFlag(c)
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		s, ok := models.ParseScope(scope)
		if !ok {
			return badUsage("--scope: must be read, write or admin, not %q", scope)
		}
		key, err := o.CreateKey(cmd.Context(), *creditor, s, name)
		if err != nil {
			return err
		}
		fmt.Println(key)
		return nil
	})
}

func keysList() *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List a creditor's API keys", Args: cobra.NoArgs}
	return ofCreditor(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, creditor models.Creditor, _ []string) error {
		keys, err := o.DB.Keys(cmd.Context(), creditor.ID)
		if err != nil {
			return err
		}
		t := newTable("ID,NAME,SCOPE,CREATED,LAST USED,REVOKED")
		for _, k := range keys {
			t.add(k.ID, k.Name, k.Scope, k.CreatedAt, k.LastUsedAt, k.RevokedAt)
		}
		return t.print(cmd)
	})
}

func keysRevoke() *cobra.Command {
	c := &cobra.Command{Use: "revoke KEY", Short: "Revoke an API key, given by its ID, at once", Args: cobra.ExactArgs(1)}
	creditor := creditorFlag(c)
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		id, err := numberOf(args[0], "a key's ID", "purr keys list shows them")
		if err != nil {
			return err
		}
		return o.RevokeKey(cmd.Context(), *creditor, id)
	})
}
