package purr_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// The tests of the Helm chart that need no helm (rules K5, K5b, K9). "make chart" renders it, and compares with deploy/chart/golden; what
// is rendered is looked at here.

var chart = filepath.Join("deploy", "chart", "purr")

// values returns the values of a file over those of values.yaml, as helm puts them together.
func values(t *testing.T, text string) map[string]any {
	t.Helper()
	return over(parsed(t, read(t, chart, "values.yaml")), parsed(t, text))
}

func parsed(t *testing.T, text string) (all map[string]any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func over(under, upper map[string]any) map[string]any {
	all := maps.Clone(under)
	for name, v := range upper {
		if above, is := v.(map[string]any); is {
			if below, is := all[name].(map[string]any); is {
				v = over(below, above)
			}
		}
		all[name] = v
	}
	return all
}

// valid holds values against values.schema.json.
func valid(t *testing.T, all map[string]any) error {
	t.Helper()
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(read(t, chart, "values.schema.json")))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("values.schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("values.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(instance)
}

// ciFiles returns the files of values with which the chart is rendered, by their names.
func ciFiles(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(chart, "ci", "*-values.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("ci files: %v, %v", paths, err)
	}
	all := map[string]string{}
	for _, path := range paths {
		all[strings.TrimSuffix(filepath.Base(path), "-values.yaml")] = read(t, path)
	}
	return all
}

// leaves calls what for each value that is not a map with values, by its path.
func leaves(path string, all map[string]any, what func(path string, v any)) {
	for name, v := range all {
		if below, is := v.(map[string]any); is && len(below) > 0 {
			leaves(path+"."+name, below, what)
			continue
		}
		what(path+"."+name, v)
	}
}

// TestK5bEverySwitchHasACIFile: each switch of values.yaml is on in one, each list and text that is empty there is filled in one, and all
// are valid.
func TestK5bEverySwitchHasACIFile(t *testing.T) {
	set := map[string]bool{}
	for name, text := range ciFiles(t) {
		if err := valid(t, values(t, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		leaves("", parsed(t, text), func(path string, v any) { set[path] = set[path] || v != false && v != "" })
	}
	isSet := func(path string) bool {
		return set[path] || slices.ContainsFunc(slices.Collect(maps.Keys(set)), func(p string) bool { return strings.HasPrefix(p, path+".") })
	}
	leaves("", parsed(t, read(t, chart, "values.yaml")), func(path string, v any) {
		list, isList := v.([]any)
		table, isTable := v.(map[string]any)
		_, isSwitch := v.(bool)
		if (isSwitch || v == "" || isList && len(list) == 0 || isTable && len(table) == 0) && path != ".image.tag" && !isSet(path) {
			t.Errorf("no file in ci/ sets %s", path)
		}
	})
}

// TestK5bValuesAreRefused: what would not run is refused before anything is rendered.
func TestK5bValuesAreRefused(t *testing.T) {
	const least = "database: {existingSecret: d}\nredis: {existingSecret: r}\nstorage: {volume: {existingClaim: c}}\n"
	if err := valid(t, values(t, least)); err != nil {
		t.Errorf("the least values: %v", err)
	}
	for what, text := range map[string]string{
		"no secret of the database":        "redis: {existingSecret: r}\nstorage: {volume: {existingClaim: c}}\n",
		"no secret of Redis":               "database: {existingSecret: d}\nstorage: {volume: {existingClaim: c}}\n",
		"neither a claim nor S3":           "database: {existingSecret: d}\nredis: {existingSecret: r}\n",
		"S3 without its URL":               "database: {existingSecret: d}\nredis: {existingSecret: r}\nstorage: {s3: {enabled: true}}\n",
		"a slip of the pen":                least + "autoscalling: {enabled: true}\n",
		"a backup without a claim":         least + "backup: {enabled: true}\n",
		"an ingress without a host":        least + "ingress: {enabled: true}\n",
		"a password in plain sight":        least + "config: {PURR_SFTP_PASSWORD: geheim}\n",
		"a database's URL in plain sight":  least + "config: {PURR_DATABASE_URL: mysql://u:p@h/d}\n",
		"another place to listen":          least + "config: {PURR_LISTEN: 127.0.0.1:80}\n",
		"a setting of another program":     least + "config: {LOG: debug}\n",
		"a tag as a digest":                least + "image: {digest: v1}\n",
		"a secret that would be made":      least + "mail: {url: smtp://u:p@h}\n",
		"fewer than none":                  least + "worker: {replicas: -1}\n",
		"room that is not a quantity":      "database: {existingSecret: d}\nredis: {existingSecret: r}\nstorage: {scratch: much, volume: {existingClaim: c}}\n",
		"a policy that Kubernetes has not": least + "topologySpread: {whenUnsatisfiable: Never}\n",
	} {
		if valid(t, values(t, text)) == nil {
			t.Errorf("%s is taken", what)
		}
	}
}

// object is a rendered object.
type object struct {
	Kind     string
	Metadata struct {
		Name                string
		Annotations, Labels map[string]string
	}
	Spec map[string]any
}

func (o object) component() string { return o.Metadata.Labels["app.kubernetes.io/component"] }

// rendered returns the objects of each golden file.
func rendered(t *testing.T) map[string][]object {
	t.Helper()
	all := map[string][]object{}
	for name := range ciFiles(t) {
		for d := yaml.NewDecoder(strings.NewReader(read(t, "deploy", "chart", "golden", name+".yaml"))); ; {
			var o object
			err := d.Decode(&o)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if o.Kind != "" {
				all[name] = append(all[name], o)
			}
		}
	}
	return all
}

// podOf returns the pod that an object makes, and false if it makes none.
func podOf(o object) (pod map[string]any, makes bool) {
	spec := o.Spec
	if below, is := spec["jobTemplate"].(map[string]any); is {
		spec, _ = below["spec"].(map[string]any)
	}
	template, is := spec["template"].(map[string]any)
	if !is {
		return nil, false
	}
	pod, is = template["spec"].(map[string]any)
	return pod, is
}

// at returns what lies in an object's tree: maps by their names, lists by their first element.
func at(v any, path ...string) any {
	for _, name := range path {
		if list, is := v.([]any); is && len(list) > 0 {
			v = list[0]
		}
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// TestK5bWhatIsRendered: existing secrets only, the migration is a hook that needs nothing of the release, no replicas under an HPA, every
// pod is restricted, and each command, variable and path is the program's.
func TestK5bWhatIsRendered(t *testing.T) {
	settings, commands := read(t, "docs", "configuration.md"), read(t, "docs", "command-line.md")
	for name, objects := range rendered(t) {
		scaled := map[string]bool{}
		for _, o := range objects {
			if o.Kind == "HorizontalPodAutoscaler" {
				scaled[fmt.Sprint(at(o.Spec, "scaleTargetRef", "name"))] = true
			}
		}
		for _, o := range objects {
			where := name + ": " + o.Kind + " " + o.Metadata.Name
			if slices.Contains([]string{"Secret", "PersistentVolumeClaim", "ServiceAccount", "Role"}, o.Kind) {
				t.Errorf("%s is made by the chart", where)
			}
			if hook := o.Metadata.Annotations["helm.sh/hook"]; (hook != "") != (o.component() == "migrate") || hook != "" &&
				(hook != "pre-install,pre-upgrade" || o.Metadata.Annotations["helm.sh/hook-delete-policy"] != "before-hook-creation") {
				t.Errorf("%s: the hook is %v", where, o.Metadata.Annotations)
			}
			if o.Kind == "Deployment" {
				if _, has := o.Spec["replicas"]; has == scaled[o.Metadata.Name] {
					t.Errorf("%s: scaled %v, replicas %v", where, scaled[o.Metadata.Name], o.Spec["replicas"])
				}
				if sum, _ := at(o.Spec, "template", "metadata", "annotations", "checksum/config").(string); len(sum) != sha256.Size*2 {
					t.Errorf("%s has no sum of its settings", where)
				}
			}
			pod, makes := podOf(o)
			if !makes {
				continue
			}
			restricted(t, where, pod)
			words := []string{"purr"}
			for _, word := range at(pod, "containers", "args").([]any) {
				words = append(words, fmt.Sprint(word))
			}
			if !strings.Contains(commands, "\n## "+strings.Join(words[:2], " ")+"\n") || slices.Contains(words, "--finish") {
				t.Errorf("%s runs %v", where, words)
			}
			for _, v := range at(pod, "containers", "env").([]any) {
				variable := fmt.Sprint(at(v, "name"))
				if strings.HasPrefix(variable, "PURR_") && !strings.Contains(settings, "`"+strings.TrimSuffix(variable, "_FILE")+"`") &&
					!strings.Contains(settings, "`"+variable+"`") {
					t.Errorf("%s: there is no %s", where, variable)
				}
			}
			if o.component() == "migrate" && (at(pod, "containers", "envFrom") != nil && strings.Contains(fmt.Sprint(at(pod, "containers", "envFrom")), "configMapRef")) {
				t.Errorf("%s needs what the release makes after it", where)
			}
			if o.Kind == "Deployment" && (at(pod, "containers", "livenessProbe", "httpGet", "path") != "/healthz" || at(pod, "containers", "readinessProbe", "httpGet", "path") != "/readyz" ||
				pod["terminationGracePeriodSeconds"].(int) < 30) {
				t.Errorf("%s: probes and end are %v", where, at(pod, "containers"))
			}
		}
	}
}

// restricted fails the test for a pod that the standard "restricted" of Kubernetes refuses, or that can write to its image.
func restricted(t *testing.T, where string, pod map[string]any) {
	t.Helper()
	for _, is := range []struct{ what, want any }{
		{at(pod, "securityContext", "runAsNonRoot"), true},
		{at(pod, "securityContext", "seccompProfile", "type"), "RuntimeDefault"},
		{at(pod, "containers", "securityContext", "allowPrivilegeEscalation"), false},
		{at(pod, "containers", "securityContext", "readOnlyRootFilesystem"), true},
		{fmt.Sprint(at(pod, "containers", "securityContext", "capabilities", "drop")), "[ALL]"},
		{at(pod, "enableServiceLinks"), false},
	} {
		if is.what != is.want {
			t.Errorf("%s is not restricted: %v, want %v", where, is.what, is.want)
		}
	}
	if _, has := at(pod, "securityContext", "fsGroup").(int); !has || !regexp.MustCompile(`(?m)^USER [1-9]\d*:`).MatchString(read(t, "deploy", "Dockerfile")) {
		t.Errorf("%s: the image must name its user by number, and volumes a group", where)
	}
}

// chartSum is the SHA-256 of all that is rendered.
func chartSum(t *testing.T) string {
	t.Helper()
	hash := sha256.New()
	err := filepath.WalkDir(chart, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) != ".md" {
			fmt.Fprintf(hash, "%s\n%s\n", filepath.ToSlash(path), read(t, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// TestK5bTheGoldenFilesAreOfThisChart: "make chart" has rendered it as it is.
func TestK5bTheGoldenFilesAreOfThisChart(t *testing.T) {
	if kept := read(t, "deploy", "chart", "golden", "SUM"); kept != chartSum(t)+"\n" {
		t.Error("the chart has changed: run make chart GOLDEN=1, and look at what has changed in deploy/chart/golden")
	}
	if names := regexp.MustCompile(`(?m)^version: (\S+)\nappVersion: "(\S+)"$`).FindStringSubmatch(read(t, chart, "Chart.yaml")); names == nil {
		t.Error("Chart.yaml has no versions")
	}
}
