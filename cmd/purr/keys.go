package main

import (
	"fmt"
	"os"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"purr/app"
	"purr/models"
)

func keysCommand() *cobra.Command {
	return group("keys", "Create, list and revoke API keys", keysCreate(), keysList(), keysRevoke())
}

func keysCreate() *cobra.Command {
	var creditor, scope, name string
	c := &cobra.Command{
		Use:   "create --creditor CREDITOR",
		Short: "Create an API key and print it, this once",
		Long: `create makes an API key and prints it alone on standard output. It is not kept and cannot be shown
again. Its scope is read (GET), write (also POST, PUT and DELETE), or admin (also changing the
creditor).`,
		Example: "  purr keys create --creditor default --scope write --name shop",
		Args:    cobra.NoArgs,
	}
	c.Flags().StringVar(&creditor, "creditor", "", "name or number of the creditor")
	c.Flags().StringVar(&scope, "scope", string(models.ScopeWrite), "read, write or admin")
	c.Flags().StringVar(&name, "name", "", "what the key is for, to know it again")
	_ = c.MarkFlagRequired("creditor") // fails only for a flag that does not exist
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, _ []string) error {
		s, ok := models.ParseScope(scope)
		if !ok {
			return fmt.Errorf("--scope: must be read, write or admin, not %q", scope)
		}
		key, err := a.CreateKey(cmd.Context(), creditor, s, name)
		if err != nil {
			return err
		}
		fmt.Println(key)
		return nil
	})
}

func keysList() *cobra.Command {
	var creditor string
	c := &cobra.Command{Use: "list --creditor CREDITOR", Short: "List a creditor's API keys", Args: cobra.NoArgs}
	c.Flags().StringVar(&creditor, "creditor", "", "name or number of the creditor")
	_ = c.MarkFlagRequired("creditor") // fails only for a flag that does not exist
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, _ []string) error {
		found, err := a.Creditor(cmd.Context(), creditor)
		if err != nil {
			return err
		}
		keys, err := a.DB.Keys(cmd.Context(), found.ID)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tNAME\tSCOPE\tCREATED\tLAST USED\tREVOKED")
		for _, k := range keys {
			fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Name, k.Scope, moment(&k.CreatedAt), moment(k.LastUsedAt), moment(k.RevokedAt))
		}
		return w.Flush()
	})
}

func keysRevoke() *cobra.Command {
	var creditor string
	c := &cobra.Command{
		Use: "revoke --creditor CREDITOR ID", Short: "Revoke an API key, at once", Args: cobra.ExactArgs(1),
		Example: "  purr keys list --creditor default\n  purr keys revoke --creditor default 3",
	}
	c.Flags().StringVar(&creditor, "creditor", "", "name or number of the creditor")
	_ = c.MarkFlagRequired("creditor") // fails only for a flag that does not exist
	return installationCommand(c, func(cmd *cobra.Command, a *app.App, args []string) error {
		id, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not a key's ID; purr keys list shows them", args[0])
		}
		return a.RevokeKey(cmd.Context(), creditor, id)
	})
}

func moment(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.Format("2006-01-02 15:04:05")
}
