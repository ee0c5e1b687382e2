// Package schema holds the JSON Schemas that reviewgate publishes, so that the
// files people download and the rules the program enforces are one thing. It
// validates nothing itself: package finding does.
package schema

import _ "embed"

// Findings is findings.schema.json, the document a reviewer answers with:
// findings and a summary. It carries no $schema and no $id, because it is
// handed to models as it is. It must not be modified.
//
//go:embed findings.schema.json
var Findings []byte

// Review is review.schema.json: Findings plus files_clean and, per finding,
// optional title, suggestion and end_line. Every document of Findings is one
// of Review too. It must not be modified.
//
//go:embed review.schema.json
var Review []byte
