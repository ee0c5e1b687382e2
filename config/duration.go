package config

import (
	"fmt"
	"time"

	"go.yaml.in/yaml/v3"
)

// Duration is a time.Duration that is written as Go writes it: "5m", "90s".
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }

// MarshalText returns d in Go's notation.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads Go's notation.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a duration such as 5m or 90s", text)
	}
	*d = Duration(parsed)
	return nil
}

// UnmarshalYAML reads a scalar in Go's notation. A bare number has no unit and
// is refused.
func (d *Duration) UnmarshalYAML(node *yaml.Node) error {
	if err := d.UnmarshalText([]byte(node.Value)); err != nil {
		return fmt.Errorf("line %d: %w", node.Line, err)
	}
	return nil
}
