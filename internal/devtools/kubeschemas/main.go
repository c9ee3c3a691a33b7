// Kubeschemas writes a JSON schema for each kind of object that a Kubernetes API server knows, as kubeconform reads them:
//
//	kubeschemas OUT SWAGGER.json [CRD.yaml…]
//
// It makes them of the API's own OpenAPI document (api/openapi-spec/swagger.json of k8s.io/kubernetes) and of definitions of custom
// resources. The schemas are strict: a field that the API does not know is refused, and so is null.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// schema is a JSON schema, or a part of one.
type schema = map[string]any

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: kubeschemas OUT SWAGGER.json [CRD.yaml…]")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "kubeschemas:", err)
		os.Exit(1)
	}
}

func run(out, swagger string, resources []string) error {
	text, err := os.ReadFile(swagger)
	if err != nil {
		return err
	}
	var document struct{ Definitions map[string]schema }
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("%s: %w", swagger, err)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var errs []error
	for name, file := range ofAPI(document.Definitions) {
		errs = append(errs, write(out, name, file))
	}
	for _, path := range resources {
		all, err := ofResource(path)
		errs = append(errs, err)
		for name, file := range all {
			errs = append(errs, write(out, name, file))
		}
	}
	return errors.Join(errs...)
}

// fileOf is the name under which kubeconform looks for a kind: deployment-apps-v1.json, service-v1.json.
func fileOf(group, version, kind string) string {
	name := strings.ToLower(kind)
	if group, _, _ = strings.Cut(group, "."); group != "" {
		name += "-" + strings.ToLower(group)
	}
	return name + "-" + strings.ToLower(version) + ".json"
}

// ofAPI returns the schemas of all kinds among the definitions, by their files. Each holds the definitions that it needs.
func ofAPI(definitions map[string]schema) map[string]schema {
	for name, d := range definitions {
		switch {
		case strings.HasSuffix(name, ".IntOrString"), strings.HasSuffix(name, ".Quantity"):
			definitions[name] = schema{"type": []any{"string", "number"}}
		default:
			tighten(d)
		}
	}
	files := map[string]schema{}
	for name, d := range definitions {
		kinds, _ := d["x-kubernetes-group-version-kind"].([]any)
		if len(kinds) != 1 { // objects that a person writes are of one kind
			continue
		}
		k, _ := kinds[0].(schema)
		group, version, kind := fmt.Sprint(k["group"]), fmt.Sprint(k["version"]), fmt.Sprint(k["kind"])
		needed := map[string]any{}
		gather(definitions, schema{"$ref": "#/definitions/" + name}, needed)
		files[fileOf(group, version, kind)] = schema{
			"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/" + name, "definitions": needed,
		}
	}
	return files
}

// gather adds to needed the definitions to which a schema refers.
func gather(definitions map[string]schema, in any, needed map[string]any) {
	switch in := in.(type) {
	case schema:
		if ref, is := in["$ref"].(string); is {
			name := strings.TrimPrefix(ref, "#/definitions/")
			if _, has := needed[name]; !has {
				needed[name] = definitions[name]
				gather(definitions, definitions[name], needed)
			}
		}
		for _, part := range in {
			gather(definitions, part, needed)
		}
	case []any:
		for _, part := range in {
			gather(definitions, part, needed)
		}
	}
}

// tighten lets no object have fields that its schema does not name.
func tighten(in any) {
	switch in := in.(type) {
	case schema:
		kind, isType := in["type"].(string) // a list of properties may have one of that name, which is no string
		_, listed := in["properties"].(schema)
		_, more := in["additionalProperties"]
		open, _ := in["x-kubernetes-preserve-unknown-fields"].(bool)
		if listed && kind == "object" && !more && !open {
			in["additionalProperties"] = false
		}
		if isType {
			delete(in, "format") // int32 and byte are no formats of JSON schemas
		}
		for _, part := range in {
			tighten(part)
		}
	case []any:
		for _, part := range in {
			tighten(part)
		}
	}
}

// ofResource returns the schemas of the versions of a custom resource, by their files.
func ofResource(path string) (map[string]schema, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var resource struct {
		Spec struct {
			Group    string
			Names    struct{ Kind string }
			Versions []struct {
				Name   string
				Schema struct {
					OpenAPIV3Schema schema `yaml:"openAPIV3Schema"`
				}
			}
		}
	}
	if err := yaml.Unmarshal(text, &resource); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	files := map[string]schema{}
	for _, v := range resource.Spec.Versions {
		s := v.Schema.OpenAPIV3Schema
		tighten(s)
		files[fileOf(resource.Spec.Group, v.Name, resource.Spec.Names.Kind)] = s
	}
	return files, nil
}

func write(folder, name string, file schema) error {
	text, err := json.Marshal(file)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name), text, 0o644)
}
