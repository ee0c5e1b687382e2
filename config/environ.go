package config

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// EnvPrefix begins the name of every environment variable that is a setting.
const EnvPrefix = "REVIEWGATE_"

// setting is one that the environment and flags can set with a single word.
type setting struct {
	name string // as in REVIEWGATE_<NAME>, lower case
	set  func(c *Config, value string) error
}

// settings are the ones with a single value; lists belong into the file.
var settings = []setting{
	{"min_confidence", func(c *Config, v string) (err error) {
		c.MinConfidence, err = strconv.ParseFloat(v, 64)
		return notA("number", v, err)
	}},
	{"fail_on", func(c *Config, v string) error { c.FailOn = FailOn(v); return nil }},
	{"jobs", func(c *Config, v string) (err error) {
		c.Jobs, err = strconv.Atoi(v)
		return notA("whole number", v, err)
	}},
	{"verify_timeout", func(c *Config, v string) error { return c.Verify.Timeout.UnmarshalText([]byte(v)) }},
	{"sandbox", func(c *Config, v string) error { c.Verify.Sandbox = Sandbox(v); return nil }},
	{"verify_network", func(c *Config, v string) (err error) { c.Verify.Network, err = parseBool(v); return err }},
	{"compare_base", func(c *Config, v string) (err error) { c.Verify.CompareBase, err = parseBool(v); return err }},
}

// Variables that are read elsewhere and are not settings of a repository.
var reserved = map[string]string{
	"config":    "the settings file, as --config",
	"reviewer":  "the reviewers to ask, as --reviewer",
	"cache_dir": "where results are kept between runs",
}

// EnvNames returns the names of all environment variables that mean something,
// sorted.
func EnvNames() []string {
	names := make([]string, 0, len(settings)+len(reserved))
	for _, s := range settings {
		names = append(names, EnvPrefix+strings.ToUpper(s.name))
	}
	for name := range reserved {
		names = append(names, EnvPrefix+strings.ToUpper(name))
	}
	sort.Strings(names)
	return names
}

// MergeEnv reads the settings of environ ("K=V", as os.Environ gives it) over
// c. A variable with the prefix that means nothing is an *Error with the
// nearest name that does; an empty value sets nothing.
func (c *Config) MergeEnv(environ []string) error {
	for _, kv := range environ {
		key, value, _ := strings.Cut(kv, "=")
		name, ok := strings.CutPrefix(key, EnvPrefix)
		if !ok || value == "" {
			continue
		}
		if err := c.setEnv(key, strings.ToLower(name), value); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) setEnv(key, name, value string) error {
	if _, ok := reserved[name]; ok {
		return nil
	}
	for _, s := range settings {
		if s.name != name {
			continue
		}
		if err := s.set(c, value); err != nil {
			return &Error{File: key, Msg: err.Error()}
		}
		if err := c.Validate(); err != nil {
			return &Error{File: key, Msg: err.Error()}
		}
		return nil
	}
	msg := "is not a variable that reviewgate knows"
	if near := Nearest(key, EnvNames()); near != "" {
		msg += "; did you mean " + near + "?"
	}
	return &Error{File: key, Msg: msg}
}

func notA(what, value string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%q is not a %s", value, what)
}

// parseBool accepts the words that CI systems pass as strings.
func parseBool(word string) (bool, error) {
	switch strings.ToLower(word) {
	case "true", "yes", "1", "on":
		return true, nil
	case "false", "no", "0", "off":
		return false, nil
	}
	return false, fmt.Errorf("%q is not true or false", word)
}
