package contract

import "testing"

// FuzzOpenAPI compares any two texts as OpenAPI documents.
func FuzzOpenAPI(f *testing.F) {
	f.Add("openapi: 3.0.0\npaths: {/a: {get: {responses: {'200': {content: {a: {schema: {$ref: '#/x'}}}}}}}}\nx: {properties: {a: {$ref: '#/x'}}}\n", "openapi: 3.0.0\npaths: &a {/a: *a}\n")
	f.Add(`{"swagger": "2.0", "paths": {"/a": {"post": {"parameters": [{"in": "body", "schema": {"type": "string"}}]}}}}`, `{"swagger": "2.0", "paths": {}}`)
	f.Fuzz(func(t *testing.T, base, head string) {
		breaks, err := OpenAPI(Source{"a.yaml", []byte(base)}, Source{"a.yaml", []byte(head)})
		if err != nil && len(breaks) > 0 {
			t.Error("both breaks and an error")
		}
		for _, b := range breaks {
			if b.Line < 1 || len(b.Text) < 10 {
				t.Errorf("not a break: %+v", b)
			}
		}
	})
}

// FuzzProto compares any two texts as .proto files.
func FuzzProto(f *testing.F) {
	f.Add("syntax = \"proto3\";\npackage a;\nmessage A { string a = 1; map<string, A> m = 2; }\nservice S { rpc G(A) returns (stream A); }", "syntax = \"proto2\";\nmessage A { required group G = 1 { optional int32 x = 2; } extensions 5 to max; reserved 7; }")
	f.Add("edition = \"2023\";\nenum E { A = 0; }", "enum E { option allow_alias = true; B = 0; A = 1; }")
	f.Fuzz(func(t *testing.T, base, head string) {
		breaks, problems := Proto([]Source{{"a.proto", []byte(base)}}, []Source{{"a.proto", []byte(head)}})
		if len(problems) > 0 && len(breaks) > 0 {
			t.Error("both breaks and problems")
		}
		for _, b := range breaks {
			if b.Line < 1 || len(b.Text) < 10 {
				t.Errorf("not a break: %+v", b)
			}
		}
	})
}
