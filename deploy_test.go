package purr_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The tests of deploy/ read each file as the program that it is for does, and look up every name of ours in it: metrics,
// commands, variables, paths of the interface (rule O6).

func read(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// known fails the test for a name that the pattern finds in the text and that a page of docs/, made from the code, has not.
func known(t *testing.T, text, pattern, page string) {
	t.Helper()
	names := regexp.MustCompile(pattern).FindAllString(text, -1)
	if len(names) == 0 {
		t.Errorf("no name is like %s", pattern)
	}
	for _, name := range names {
		if metric := regexp.MustCompile(`_(count|sum|bucket)$`); !strings.Contains(page, "`"+name+"`") && !strings.Contains(page, "`"+metric.ReplaceAllString(name, "")+"`") {
			t.Errorf("there is no %s", name)
		}
	}
}

// isCommand fails the test if a line does not begin with one of our commands.
func isCommand(t *testing.T, line string) {
	t.Helper()
	words := strings.Fields(line)
	if len(words) < 2 || !strings.Contains(read(t, "docs", "command-line.md"), "\n## "+words[0]+" "+words[1]+"\n") {
		t.Errorf("%q is no command", line)
	}
}

const metricNames = `\bpurr_[a-z0-9_]+`

func TestO6AlertRules(t *testing.T) {
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(read(t, "deploy", "prometheus", "purr-alerts.yaml")))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		t.Fatal(err)
	}
	if len(file.Groups) != 1 || len(file.Groups[0].Rules) < 10 {
		t.Fatalf("groups: %+v", file.Groups)
	}
	for _, rule := range file.Groups[0].Rules {
		balanced(t, rule.Alert, rule.Expr)
		if !regexp.MustCompile(`^Purr[A-Za-z]+$`).MatchString(rule.Alert) || !regexp.MustCompile(`^([0-9]+[mh])?$`).MatchString(rule.For) ||
			!slices.Contains([]string{"warning", "critical"}, rule.Labels["severity"]) || rule.Annotations["summary"] == "" || rule.Annotations["description"] == "" {
			t.Errorf("the rule %+v lacks something", rule)
		}
		if rule.Alert != "PurrDown" {
			known(t, rule.Expr, metricNames, read(t, "docs", "metrics.md"))
		}
	}
}

// TestD122WhatTheDocsSayOfDeploy: a metric that they tell to alert on has a rule, and who puts Caddy in front says so to purr.
func TestD122WhatTheDocsSayOfDeploy(t *testing.T) {
	told := regexp.MustCompile("alert on `([a-z_]+)`").FindAllStringSubmatch(read(t, "docs", "operating.md"), -1)
	if len(told) == 0 {
		t.Error("docs/operating.md tells to alert on nothing")
	}
	for _, metric := range told {
		if !strings.Contains(read(t, "deploy", "prometheus", "purr-alerts.yaml"), metric[1]) {
			t.Errorf("no rule alerts on %s", metric[1])
		}
	}
	for _, page := range [][]string{{"deploy", "Caddyfile"}, {"README.md"}} {
		text := strings.ReplaceAll(read(t, page...), "\\\n", " ")
		for _, line := range regexp.MustCompile(`purr serve .*--base-url https:.*`).FindAllString(text, -1) {
			if !strings.Contains(line, "--trusted-proxies ") {
				t.Errorf("%v: %s: behind a proxy all callers have its address", page, line)
			}
		}
	}
}

// balanced fails the test if brackets or quotes of a query do not match.
func balanced(t *testing.T, what, query string) {
	t.Helper()
	bare := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(query, "")
	for _, pair := range []string{"()", "{}", "[]"} {
		if strings.Count(bare, pair[:1]) != strings.Count(bare, pair[1:]) {
			t.Errorf("%s: %s does not match in %s", what, pair, query)
		}
	}
	if strings.Contains(bare, `"`) || query == "" {
		t.Errorf("%s: the query %q ends early", what, query)
	}
}

func TestO6Dashboard(t *testing.T) {
	var board struct {
		Title         string
		SchemaVersion int
		Panels        []struct {
			ID      int
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ RefID, Expr string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "deploy", "grafana", "purr.json")), &board); err != nil {
		t.Fatal(err)
	}
	ids, places := map[int]bool{}, map[[2]int]bool{}
	for _, p := range board.Panels {
		if ids[p.ID] || places[[2]int{p.GridPos.X, p.GridPos.Y}] || p.GridPos.X+p.GridPos.W > 24 || p.GridPos.H == 0 || p.Title == "" || len(p.Targets) == 0 {
			t.Errorf("the panel %+v is wrong", p)
		}
		ids[p.ID], places[[2]int{p.GridPos.X, p.GridPos.Y}] = true, true
		for _, target := range p.Targets {
			balanced(t, p.Title, target.Expr)
			known(t, target.Expr, metricNames, read(t, "docs", "metrics.md"))
		}
	}
	if board.Title == "" || board.SchemaVersion == 0 || len(board.Panels) < 10 {
		t.Errorf("the dashboard is %+v", board)
	}
}

func TestO6Compose(t *testing.T) {
	text := read(t, "deploy", "compose.yaml")
	var file struct {
		Services map[string]struct {
			Image, Restart string
			Command        []string
			Healthcheck    struct {
				Test    []string
				Disable bool
			}
			DependsOn map[string]struct{ Condition string } `yaml:"depends_on"`
		}
	}
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	for name, s := range file.Services {
		if s.Image == "" || s.Restart == "" || (len(s.Healthcheck.Test) == 0) != s.Healthcheck.Disable {
			t.Errorf("%s lacks an image, a restart or a health check: %+v", name, s)
		}
		if s.Image == "purr" {
			isCommand(t, "purr "+strings.Join(s.Command, " "))
		}
		for other, on := range s.DependsOn {
			needed, there := file.Services[other]
			if !there || (on.Condition == "service_healthy") != (len(needed.Healthcheck.Test) > 0 && !needed.Healthcheck.Disable) {
				t.Errorf("%s waits for %s, %s", name, other, on.Condition)
			}
		}
	}
	for _, name := range []string{"api", "worker", "scheduler"} {
		if check := file.Services[name].Healthcheck.Test; !slices.Equal(check, []string{"CMD", "/purr", "health"}) {
			t.Errorf("the health check of %s is %q", name, check)
		}
	}
	fromFiles := regexp.MustCompile("`(PURR_[A-Z]+_URL)`").ReplaceAllString(read(t, "docs", "configuration.md"), "`$1` `${1}_FILE`")
	known(t, text+read(t, "deploy", "Dockerfile"), `\bPURR_[A-Z_]+`, fromFiles)
	isCommand(t, "purr health")
}

// unitKeys are the settings of systemd that the units may have, by section: a misspelt one would be ignored.
var unitKeys = map[string]string{
	"Unit": "Description Documentation After Wants StartLimitIntervalSec AssertPathExists", // no Condition…: it skips a unit, and systemctl --failed tells nobody
	"Service": "Type ExecStart EnvironmentFile Environment User Group StateDirectory StateDirectoryMode Restart RestartSec TimeoutStopSec Nice IOSchedulingClass " +
		"NoNewPrivileges CapabilityBoundingSet ProtectSystem ReadWritePaths ProtectHome PrivateTmp PrivateMounts PrivateDevices DevicePolicy PrivateUsers " +
		"ProtectKernelTunables ProtectKernelModules ProtectKernelLogs ProtectControlGroups ProtectClock ProtectHostname ProtectProc " +
		"RestrictAddressFamilies RestrictNamespaces RestrictRealtime RestrictSUIDSGID RemoveIPC LockPersonality MemoryDenyWriteExecute " +
		"SystemCallArchitectures SystemCallFilter SystemCallErrorNumber UMask LimitNOFILE",
	"Timer":   "OnCalendar RandomizedDelaySec Persistent",
	"Install": "WantedBy",
}

// unit is a unit of systemd: its settings, in order.
type unit struct {
	path     string
	settings [][3]string // section, name, value
}

// of returns the words of a setting, from all of its lines.
func (u *unit) of(name string) (words []string) {
	for _, s := range u.settings {
		if s[1] == name {
			words = append(words, strings.Fields(s[2])...)
		}
	}
	return words
}

// readUnits reads all units, wherever in deploy/ they lie.
func readUnits(t *testing.T) (units []unit) {
	t.Helper()
	err := filepath.WalkDir("deploy", func(path string, _ fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || ext != ".service" && ext != ".timer" {
			return err
		}
		u, section := unit{path: path}, ""
		for line := range strings.Lines(read(t, path)) {
			line = strings.TrimSpace(line)
			name, value, isSetting := strings.Cut(line, "=")
			switch {
			case line == "" || line[0] == '#':
			case line[0] == '[':
				section = strings.Trim(line, "[]")
			case !isSetting || value == "" && name != "CapabilityBoundingSet" || !slices.Contains(strings.Fields(unitKeys[section]), name):
				t.Errorf("%s: %q is no setting of [%s]", path, line, section)
			default:
				u.settings = append(u.settings, [3]string{section, name, value})
			}
		}
		units = append(units, u)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return units
}

func TestO6SystemdUnits(t *testing.T) {
	folder := filepath.Join("deploy", "systemd")
	units := readUnits(t)
	if len(units) != 4 {
		t.Fatalf("the units are %v", units)
	}
	sysusers := strings.Fields(read(t, folder, "purr.sysusers.conf"))
	user := sysusers[slices.Index(sysusers, "u")+1]
	for _, u := range units {
		if name := strings.TrimSuffix(filepath.Base(u.path), ".service"); name == filepath.Base(u.path) {
			continue // a timer runs nothing itself
		}
		if !slices.Equal(u.of("User"), []string{user}) || !slices.Equal(u.of("Group"), []string{user}) {
			t.Errorf("%s runs as %q, %q, want %s", u.path, u.of("User"), u.of("Group"), user)
		}
		commands := regexp.MustCompile(`/usr/bin/(purr [^;']+)`).FindAllStringSubmatch(strings.Join(u.of("ExecStart"), " "), -1)
		if len(commands) == 0 {
			t.Errorf("%s runs no command of ours", u.path)
		}
		for _, c := range commands {
			if !strings.Contains(c[1], "%i") {
				isCommand(t, c[1])
			}
		}
	}
	if timer := read(t, folder, "purr-backup.timer"); !strings.Contains(timer, "OnCalendar=*-*-* 02:15:00\n") {
		t.Error("the timer does not name a time of the night")
	}
}

// TestD120AFolderHasOneOwner refuses a folder that two units own in different ways. systemd gives a unit's folder to the unit's
// user at each start, and moves that of a DynamicUser to another place: whoever else has it then finds its data gone.
func TestD120AFolderHasOneOwner(t *testing.T) {
	owners, names := map[string]string{}, map[string]string{}
	claim := func(folder, way, by string) {
		if former, taken := owners[folder]; taken && former != way {
			t.Errorf("%s has the folder %s as %s, another as %s", by, folder, way, former)
		}
		owners[folder] = way
	}
	units := readUnits(t)
	for _, u := range units {
		if before, taken := names[filepath.Base(u.path)]; taken {
			t.Errorf("%s and %s are installed under one name", before, u.path)
		}
		names[filepath.Base(u.path)] = u.path
		way := strings.Join(u.of("User"), " ") + ":" + strings.Join(u.of("Group"), " ") + " dynamic " + strings.Join(u.of("DynamicUser"), " ")
		for kind, above := range map[string]string{"StateDirectory": "/var/lib/", "CacheDirectory": "/var/cache/", "LogsDirectory": "/var/log/", "RuntimeDirectory": "/run/", "ConfigurationDirectory": "/etc/"} {
			for _, folder := range u.of(kind) {
				claim(above+folder, way+" mode "+strings.Join(u.of(kind+"Mode"), " "), u.path)
			}
		}
	}
	for _, u := range units { // what a unit only writes to is another unit's, which runs as the same user
		for _, folder := range u.of("ReadWritePaths") {
			owner, owned := owners[folder]
			if !owned || !strings.HasPrefix(owner, strings.Join(u.of("User"), " ")+":") {
				t.Errorf("%s writes to %s, which nobody owns as its user: %q", u.path, folder, owner)
			}
		}
		for _, data := range regexp.MustCompile(`--data (\S+?)[;']?(?: |$)`).FindAllStringSubmatch(strings.Join(u.of("ExecStart"), " "), -1) {
			if owners[data[1]] == "" {
				t.Errorf("%s works on %s, which no unit owns", u.path, data[1])
			}
		}
	}
	home := strings.Fields(read(t, "deploy", "systemd", "purr.sysusers.conf"))
	if last := home[len(home)-1]; !strings.HasPrefix(owners[last], "purr:purr ") {
		t.Errorf("the user's home is %s, which no unit owns as that user", last)
	}
}

func TestO6Caddyfile(t *testing.T) {
	text := regexp.MustCompile(`(?m)#.*$`).ReplaceAllString(read(t, "deploy", "Caddyfile"), "")
	balanced(t, "Caddyfile", text)
	for _, want := range []string{"reverse_proxy 127.0.0.1:8080", "health_uri /readyz", "max_size 257MiB"} {
		if !strings.Contains(text, want) {
			t.Errorf("the Caddyfile has no %q", want)
		}
	}
	known(t, text, `(/metrics|/readyz)\b`, read(t, "docs", "interface.md")+"`/metrics`")
}
