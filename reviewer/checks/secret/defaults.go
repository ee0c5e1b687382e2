package secret

import (
	"strings"
)

// developmentDefault reports whether a URL or connection string carries what
// everybody uses on their own machine: a host without a domain, or a password
// that is the user's name or a word.
func developmentDefault(h Hit) bool {
	password := h.Secret
	if wordy(password) && len(password) < 24 || weak[strings.ToLower(password)] {
		return true
	}
	host := hostOf(h.Context, password)
	return localHost().MatchString(host)
}

// hostOf returns what follows the password and its @, or names a host in a
// connection string; "" when nothing does.
func hostOf(line, password string) string {
	if _, rest, ok := strings.Cut(line, password+"@"); ok {
		return rest
	}
	if m := hostSetting().FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

var hostSetting = expr(`(?i)(?:server|host|hostname|data source|endpoint)=(?:tcp:)?([^;,\s'"]+)|//([^/;?\s]+)`)

// localHost matches hosts that nobody else can reach, and those that stand for
// any host.
var localHost = expr(`(?i)^(?:localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker\.internal|host\b|hostname|server\b|example\.|[\w-]+\.example\b|[\w.-]+\.(?:test|local|invalid|localhost|internal\.example)\b|[a-z_-]+(?::\d+)?(?:[/?"'\x60,;\s)]|$))`)

// weak are passwords that protect nothing.
var weak = map[string]bool{
	"password": true, "passwd": true, "pass": true, "pwd": true, "pw": true, "secret": true, "postgres": true, "root": true, "admin": true,
	"user": true, "username": true, "test": true, "guest": true, "mysql": true, "redis": true, "mongo": true, "rabbitmq": true, "minio": true, "minioadmin": true,
	"123456": true, "12345678": true, "1234": true, "letmein": true, "pa55word": true, "p4ssw0rd": true, "pass123": true, "admin123": true, "root123": true, "test123": true,
}
