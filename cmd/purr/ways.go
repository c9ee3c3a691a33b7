package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"purr/app/operator"
	"purr/models"
)

func waysCommand() *cobra.Command {
	return group("ways", "Show by which ways documents leave, try them, and say that a folder is meant", waysList(), waysTest(), waysFolder())
}

func waysList() *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List by which ways documents leave, and which of them wait", Args: cobra.NoArgs}
	return installationCommand(withJSON(c), func(cmd *cobra.Command, o *operator.Operator, _ []string) error {
		ways, err := o.Ways(cmd.Context())
		if err != nil {
			return err
		}
		if wantsJSON(cmd) {
			objects := make([]map[string]any, len(ways))
			for i, w := range ways {
				objects[i] = map[string]any{"method": w.Method, "kinds": w.Kinds, "has_left_by": w.LeftBy, "missing": w.Missing, "differ": w.Differ, "paused": w.Paused}
			}
			return printJSON(objects)
		}
		t := newTable("METHOD,NOW BY,HAS LEFT BY,MISSING,PAUSED FOR")
		for _, w := range ways {
			t.add(w.Method, strings.Join(w.Kinds, " "), w.LeftBy, w.Missing, w.Paused)
		}
		return t.print(cmd)
	})
}

func waysFolder() *cobra.Command {
	c := &cobra.Command{
		Use: "folder METHOD", Short: "Let what goes by a method go to the folder, though it has left by a real way before", Args: cobra.ExactArgs(1),
	}
	return installationCommand(c, func(cmd *cobra.Command, o *operator.Operator, args []string) error {
		m, err := wayMethod(args[0])
		if err != nil {
			return err
		}
		if err := o.MeanFolder(cmd.Context(), m); err != nil {
			return err
		}
		if m.NeedsSetting() {
			fmt.Printf("nothing goes by %s from now on: what waits is sent by the next method of its fallback\n", m)
			return nil
		}
		fmt.Printf("what goes by %s goes to the folder from now on\n", m)
		return nil
	})
}

func wayMethod(word string) (models.ShipmentMethod, error) {
	m := models.ShipmentMethod(strings.ToUpper(word))
	if !slices.Contains(models.WayMethods, m) {
		return "", badUsage("METHOD: must be one of %s", words(models.WayMethods))
	}
	return m, nil
}
