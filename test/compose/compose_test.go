// Package compose has Docker Compose's own library read deploy/compose.yaml, as "docker compose config" does (rule Q4).
package compose

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

func load(t *testing.T, variables ...string) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{"../../deploy/compose.yaml"}, cli.WithEnv(variables), cli.WithProfiles([]string{"backup"}))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return project
}

// TestQ4ComposeReadsTheFile: it is valid, each service is hardened and comes back, ports are this machine's alone, and no secret is in it.
func TestQ4ComposeReadsTheFile(t *testing.T) {
	project := load(t)
	for name, s := range project.Services {
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || len(s.CapAdd) > 0 || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") || s.Privileged {
			t.Errorf("%s is not hardened", name)
		}
		if s.Restart != "always" && name != "migrate" && name != "backup" {
			t.Errorf("%s restarts %s", name, s.Restart)
		}
		for _, p := range s.Ports {
			if address, err := netip.ParseAddr(p.HostIP); err != nil || !address.IsLoopback() {
				t.Errorf("%s is published on %q", name, p.HostIP)
			}
		}
		for variable, value := range s.Environment {
			if strings.Contains(variable, "PASSWORD") && !strings.HasSuffix(variable, "_FILE") && !strings.Contains(variable, "RANDOM") || value != nil && strings.Contains(*value, "@") {
				t.Errorf("%s has a secret in %s", name, variable)
			}
		}
		for _, secret := range s.Secrets {
			if file := project.Secrets[secret.Source].File; !strings.Contains(file, "/deploy/secrets/") {
				t.Errorf("%s has the secret %s of %q", name, secret.Source, file)
			}
		}
	}
	if workers := project.Services["worker"].Deploy.Replicas; workers == nil || *workers != 2 {
		t.Errorf("workers: %v", workers)
	}
}

// TestQ4WhatMayBeSet: the address and the port by variables of the caller.
func TestQ4WhatMayBeSet(t *testing.T) {
	api := load(t, "PURR_BASE_URL=https://invoices.example.no", "PORT=9000").Services["api"]
	if url := api.Environment["PURR_BASE_URL"]; url == nil || *url != "https://invoices.example.no" || api.Ports[0].Published != "9000" {
		t.Errorf("the API is at %v, %v", url, api.Ports)
	}
}
