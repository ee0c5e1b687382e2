package secret

import (
	"strings"
	"unicode"
)

// Fake reports whether a hit is plainly no secret: a placeholder, a template, a
// well-known development default, a hash, or code that only looks like a
// value. A credential in a provider's own form is fake only when its characters
// say so.
func (h Hit) Fake() bool {
	if placeholder(h.Secret) || templated(h.Secret) || published[h.Secret] {
		return true
	}
	switch h.Rule {
	case "aws-access-token":
		if strings.Contains(h.Context, "Credential=") {
			return true // a signed URL names the key that signed it, which is no secret
		}
	case "jwt":
		return strings.HasPrefix(h.Secret, exampleToken)
	case "private-key":
		return !keyFollows([]byte(h.Secret), nil)
	case "database-url", "connection-string":
		return developmentDefault(h)
	case "private-key-body":
		return false
	}
	if !h.Generic {
		return monotonous(h.Secret)
	}
	return hashName().MatchString(h.Name) || wordy(h.Secret) || address(h.Secret) || expression(h)
}

// published are the values of well-known examples: RFC 5849, 6749, 6750 and 7519,
// and the guides of OAuth.
var published = map[string]bool{
	"kkk9d7dh3k39sjv7": true, "9djdj82h48djs9d2": true, "j49sk3j29djd": true, "dh893hdasih9": true, "bYT5CMsGcbgUdFHObYMEfcx6bsw=": true, "r6/TJjbCOr97/+UU0NsvSne7s5g=": true,
	"2YotnFZFEjr1zCsicMWpAA": true, "tGzv3JOkF0XG5Qx2TlKWIA": true, "SplxlOBeZQQYbYS6WxSbIA": true, "czZCaGRSa3F0MzpnWDFmQmF0M2JW": true, "gX1fBat3bV": true,
	"mF_9.B5f-4.1JqM": true, "vF9dft4qmT": true, "nnch734d00sl2jdf": true, "dpf43f3p2l4k3l03": true, "pfkkdhi9sl3r4s00": true, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY": true,
}

// exampleToken begins the JSON Web Token that every guide shows: subject
// 1234567890.
const exampleToken = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + "eyJzdWIiOiIxMjM0NTY3ODkw"

// credential judges a value by itself and by the name it is assigned to, for
// the rules that know nothing else.
func credential(name, value string) bool {
	value = strings.TrimPrefix(value, "base64:")
	if describes().MatchString(name) || hashName().MatchString(name) || digest().MatchString(value) {
		return false
	}
	return mixture(value) && entropy(value) >= 2.8 &&
		!published[value] && !placeholder(value) && !templated(value) && !wordy(value) && !address(value)
}

// describes matches names whose value says something about a credential.
var describes = expr(`(?i)(?:^|[_.-])(?:no|has|is|use|show|hide|reset|forgot|public|pub|csrf|xsrf)[_.-]?(?:password|passwd|passphrase|secret|token|key)|publickey|(?:type|url|uri|name|id|field|file|path|endpoint|ttl|length|len|size|header|prefix|suffix|format|label|title|text|hint|message|error|regex|pattern|policy|class|selector|column|param|env|var|ref|arn|kind|status|scope|issuer|audience|count|limit|expiry|expires)$`)

// hashName matches names whose value is a hash or an identifier.
var hashName = expr(`(?i)(?:hash|sha\d*|digest|checksum|integrity|etag|commit|revision|md5|fingerprint|uuid|guid|nonce|cache[_.-]?key|key[_.-]?id|public[_.-]?key|pubkey|pub[_.-]?key)(?:$|[_.-])`)

// digest matches values that are hashes by their form.
var digest = expr(`^(?:\$2[abxy]?\$|\$argon2|\$[156]\$|\$pbkdf2|pbkdf2_|sha(?:1|256|384|512)[-:$]|md5[-:$]|\{SSHA|scrypt:)`)

// placeholders are words that nobody puts into a credential.
var placeholders = []string{
	"example", "sample", "dummy", "placeholder", "changeme", "change-me", "change_me", "change this", "replace", "insert", "todo", "fixme",
	"xxxx", "****", "...", "…", "____", "----", "redacted", "fake", "mock", "foobar", "foo-bar", "lorem", "your-", "your_", "yourpassword", "yoursecret", "yourtoken", "yourkey",
	"my-secret", "my_secret", "mysecret", "my-token", "my_token", "mytoken", "mypassword", "my-password", "my_password", "notasecret", "not-a-secret", "not_a_secret",
	"supersecret", "super-secret", "super_secret", "secret123", "password123", "p@ssw0rd", "passw0rd", "testtest", "test-token", "test_token", "test-secret", "test_secret", "testpassword", "test_password", "test-password", "hunter2", "<", "{{", "deadbeef", "0123456789", "1234567890", "abcdefgh", "abc123", "123abc", "qwerty", "insecure", "unsafe", "development", "invalid",
}

func placeholder(value string) bool {
	low := strings.ToLower(value)
	for _, p := range placeholders {
		if strings.Contains(low, p) && !strings.HasPrefix(low, "-----begin") {
			return true
		}
	}
	return false
}

// templated reports whether a value is filled in later.
func templated(value string) bool {
	for _, sign := range []string{"${", "{{", "<%", "$(", "%(", "#{", "{0}", "%s", "%v", "%d", "process.env", "os.environ", "getenv", "secrets.", "vars."} {
		if strings.Contains(value, sign) {
			return true
		}
	}
	return strings.HasPrefix(value, "$") && !strings.HasPrefix(value, "$2") || strings.HasPrefix(value, "%") && strings.HasSuffix(value, "%") ||
		strings.HasPrefix(value, "{") && strings.HasSuffix(value, "}") || strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]")
}

// monotonous reports whether a value repeats itself so much that no generator
// made it.
func monotonous(value string) bool {
	run, longest := 1, 1
	distinct := map[rune]bool{}
	var last rune
	for _, c := range value {
		distinct[c] = true
		if c == last {
			run++
			longest = max(longest, run)
		} else {
			run = 1
		}
		last = c
	}
	return longest >= 8 || len(distinct) <= 5 && len(value) >= 12
}

// mixture reports whether a value mixes letters with digits or signs, as
// generated and chosen secrets do.
func mixture(value string) bool {
	var letters, digits, signs int
	for _, c := range value {
		switch {
		case unicode.IsLetter(c):
			letters++
		case unicode.IsDigit(c):
			digits++
		case c > ' ':
			signs++
		}
	}
	return letters > 0 && (digits > 0 || strings.ContainsAny(value, "!@#$%^&*+~")) && letters+digits > signs
}

// wordy reports whether a value is made of words, as identifiers, labels and
// versions are: user.password.reset, my-app-2, getAccessTokenV2.
func wordy(value string) bool {
	parts := strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune("._-/: ,@#()[]?=&", c) })
	for _, part := range parts {
		if !isWord(part) {
			return false
		}
	}
	return true
}

// isWord reports whether a part of a value reads as one word or some joined
// ones, or is a short number.
func isWord(part string) bool {
	letters := strings.TrimRight(strings.TrimLeft(part, "0123456789"), "0123456789")
	if digits := len(part) - len(letters); digits > 4 {
		return false
	}
	humps := 0
	for i, c := range letters {
		if c > unicode.MaxASCII {
			return unicode.IsLetter(c)
		}
		if !unicode.IsLetter(c) {
			return false
		}
		if unicode.IsUpper(c) && i > 0 && !unicode.IsUpper(rune(letters[i-1])) {
			humps++
		}
	}
	if letters == strings.ToUpper(letters) {
		return len(letters) <= 16
	}
	return (humps == 0 || float64(len(letters))/float64(humps+1) >= 3.5) && vowels(letters)
}

// vowels reports whether a word could be spoken: no long run without a vowel.
func vowels(word string) bool {
	run := 0
	for _, c := range strings.ToLower(word) {
		if strings.ContainsRune("aeiouy", c) {
			run = 0
			continue
		}
		if run++; run > 5 {
			return false
		}
	}
	return true
}

// address reports whether a value says where something is.
func address(value string) bool {
	if strings.HasPrefix(value, "arn:") || strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") || strings.HasPrefix(value, "~/") || strings.HasPrefix(value, "@") {
		return true
	}
	_, rest, found := strings.Cut(value, "://")
	return found && !strings.Contains(rest, "@")
}

// expression reports whether a generic value stands in code without quotes: a
// name or a call, not a literal.
func expression(h Hit) bool {
	if settingFiles().MatchString(h.Path) {
		return false
	}
	at := strings.Index(h.Context, h.Secret)
	if at < 0 {
		return false
	}
	end := at + len(h.Secret)
	quoted := at > 0 && strings.ContainsRune("\"'`", rune(h.Context[at-1])) || end < len(h.Context) && strings.ContainsRune("\"'`", rune(h.Context[end]))
	return !quoted && codeFiles().MatchString(h.Path)
}

// codeFiles hold their literals in quotes.
var codeFiles = expr(`(?i)\.(?:go|[cm]?[jt]sx?|vue|svelte|py|rb|rs|java|kt|kts|scala|cs|fs|vb|php|swift|m|mm|c|h|cc|cpp|hpp|lua|pl|pm|ex|exs|erl|clj|dart|groovy|gradle|sql|proto|json|html?|erb)$`)
