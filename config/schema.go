package config

import (
	"encoding/json"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema returns the JSON Schema of the settings file, made from the types of
// this package. It is published as schema/config.schema.json.
func Schema() ([]byte, error) {
	schema, err := jsonschema.For[Config](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Duration](): {Type: "string", Pattern: `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`},
		reflect.TypeFor[Kind]():     enum(Kinds),
		reflect.TypeFor[Sandbox]():  enum(Sandboxes),
		reflect.TypeFor[FailOn]():   enum(FailOns),
	}})
	if err != nil {
		return nil, err
	}
	schema.Schema = "https://json-schema.org/draft/2020-12/schema"
	schema.Title = "Settings of reviewgate (" + FileName + ")"
	schema.Properties["min_confidence"].Minimum = jsonschema.Ptr(0.0)
	schema.Properties["min_confidence"].Maximum = jsonschema.Ptr(1.0)
	out, err := json.MarshalIndent(schema, "", "  ")
	return append(out, '\n'), err
}

func enum[T ~string](values []T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}
