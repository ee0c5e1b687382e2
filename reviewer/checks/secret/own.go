package secret

import (
	"bytes"
	"strings"
)

// ownRules are the credentials that the shipped rules miss. Each has its cases
// in testdata/own.txt.
func ownRules() []*rule {
	return []*rule{
		ownRule(&rule{
			id: "database-url", what: "a URL with a password in it", keywords: []string{"://"},
			expr: `\b[a-zA-Z][a-zA-Z0-9+.-]{1,24}://[^\s:@/'"<>()]{0,64}:([^\s@'"<>]{3,128})@[\w.\[-]`,
			near: passwordInURL, generic: true,
		}),
		ownRule(&rule{
			id: "connection-string", what: "a connection string with a password in it", keywords: []string{"password=", "pwd=", "accountkey=", "sharedaccesskey="},
			expr:    `(?i)(?:\b(?:server|data source|host|hostname|user id|uid|user|username|endpoint|accountname)=[^;&\s'"]{1,200}[;& ].{0,200}|[;?&])(?:password|pwd|accountkey|sharedaccesskey)=([^;&\s'"]{6,200})`,
			generic: true,
		}),
		ownRule(&rule{
			id: "private-key-body", what: "a private key", keywords: []string{"private key-----"},
			expr:    `-----BEGIN[ A-Z0-9]{0,40} PRIVATE KEY-----`,
			accepts: keyFollows,
		}),
		ownRule(&rule{
			id: "aws-secret-access-key", what: "an AWS secret access key", keywords: []string{"secret_access_key", "secretaccesskey", "aws_secret", "awssecret"},
			expr: `(?i)(?:secret_?access_?key|aws_?secret(?:_?key)?)["'\x60]?(?:\s|:|=|>|,|string){1,12}["'\x60]?([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)`,
		}),
		ownRule(&rule{
			id: "google-oauth-secret", what: "a Google OAuth client secret", keywords: []string{"gocspx-"},
			expr: `\b(GOCSPX-[\w-]{28})\b`,
		}),
		ownRule(&rule{
			id: "webhook-signing-secret", what: "a webhook signing secret", keywords: []string{"whsec_"},
			expr: `\b(whsec_[A-Za-z0-9+/=]{24,})`,
		}),
		ownRule(&rule{
			id: "docker-token", what: "a Docker access token", keywords: []string{"dckr_pat_", "dckr_oat_"},
			expr: `\b(dckr_[po]at_[\w-]{27,})`,
		}),
		ownRule(&rule{
			id: "model-provider-key", what: "a key of a model provider", keywords: []string{"sk-proj-", "sk-svcacct-", "sk-ant-", "sk-or-v1-"},
			expr: `\b(sk-(?:proj|svcacct|ant|or-v1)-[\w-]{32,})`,
		}),
		ownRule(&rule{
			id: "chat-webhook", what: "a chat webhook URL, which is a credential", keywords: []string{"/api/webhooks/"},
			expr: `\bdiscord(?:app)?\.com/api/webhooks/(\d{17,20}/[\w-]{60,})`,
		}),
		ownRule(&rule{
			id: "registry-token", what: "a package registry token", keywords: []string{"_authtoken=", "_auth=", "_password="},
			expr: `:_(?:authToken|auth|password)=["']?([^\s"'$]{12,})`,
		}),
		ownRule(&rule{
			id: "authorization-header", what: "a literal authorization header", keywords: []string{"bearer ", "basic "},
			expr: `["'\x60](?i:authorization)["'\x60]?(?:\s|:|=|>|,|\]){1,6}["'\x60](?:Bearer|Basic) ([\w.~+/-]{16,}=*)["'\x60]`, generic: true,
		}),
		ownRule(&rule{
			id: "quoted-credential", what: "a credential in a literal", keywords: credentialWords,
			expr:    `(?i)([\w.$-]*(?:password|passwd|passphrase|passcode|pwd|secret|token|api[_.-]?key|access[_.-]?key|private[_.-]?key|signing[_.-]?key|encryption[_.-]?key|auth[_.-]?key|credential)(?:[_-](?:tmp|temp|dev|prod|live|default|value|str|old|new|\d+))?)["'\x60\]]{0,2}[ \t]*(?::[ \t]*[A-Za-z&'_<>|\[\] ]{1,40}[ \t]*)?(?::?=|=>|:)[ \t]*[bru@$]{0,2}(?:"([^"\\\s]{6,200})"|'([^'\\\s]{6,200})'|\x60([^\x60\\\s]{6,200})\x60)`,
			accepts: literalCredential, generic: true, named: true, near: quotedAfter,
		}),
		ownRule(&rule{
			id: "bare-credential", what: "a credential in a setting", keywords: credentialWords,
			expr:    `(?im)^[ \t]*(?:export[ \t]+|env[ \t]+|-[ \t]+|set[ \t]+)?([\w.-]*(?:password|passwd|passphrase|pwd|secret|token|api[_.-]?key|access[_.-]?key|private[_.-]?key|signing[_.-]?key|encryption[_.-]?key))[ \t]*[=:][ \t]*([^\s"'\x60#;,{}\[\]()]{8,200})[ \t]*(?:#.*)?\r?$`,
			accepts: bareCredential, generic: true, named: true, path: settingFiles(), near: signAfter,
		}),
	}
}

// credentialWords select the two rules about names. Keep them in step with the
// names in their expressions.
var credentialWords = []string{
	"password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "credential",
	"apikey", "api_key", "api-key", "api.key", "accesskey", "access_key", "access-key", "access.key",
	"privatekey", "private_key", "private-key", "private.key", "signingkey", "signing_key", "signing-key", "signing.key",
	"encryptionkey", "encryption_key", "encryption-key", "encryption.key", "authkey", "auth_key", "auth-key", "auth.key",
}

// settingFiles hold values without quotes.
var settingFiles = expr(`(?i)(?:^|/)(?:\.env[\w.-]*|[\w.-]+\.(?:env|properties|ini|cfg|conf|toml|ya?ml|tfvars)|Dockerfile[\w.-]*|\.netrc|credentials)$`)

// passwordInURL reports whether "://" is followed by a password before the host
// ends.
func passwordInURL(low []byte, _, end int) bool {
	rest := low[end:min(len(low), end+220)]
	if n := bytes.IndexAny(rest, " \t\r\n\"'<>"); n >= 0 {
		rest = rest[:n]
	}
	at := bytes.LastIndexByte(rest, '@')
	return at > 0 && bytes.IndexByte(rest[:at], ':') >= 0
}

// keyFollows reports whether the first line of a private key is followed by
// base64: code that reads keys names the line alone.
func keyFollows(text []byte, _ []string) bool {
	_, rest, _ := bytes.Cut(text, []byte("KEY-----"))
	rest = bytes.TrimLeft(rest[:min(len(rest), 400)], " \t\r\n\\nr\"'`+,")
	n := 0
	for n < len(rest) && base64Byte[rest[n]] {
		n++
	}
	return n >= 16 || bytes.HasPrefix(rest, []byte("Proc-Type:"))
}

var base64Byte = bytesOf(word, strings.ToUpper(letter), "+/=")

// quotedAfter reports whether a sign and a quoted value may follow the keyword.
func quotedAfter(low []byte, _, end int) bool {
	rest := low[end:min(len(low), end+64)]
	quote := bytes.IndexAny(rest, "\"'`")
	return quote >= 0 && bytes.ContainsAny(rest, ":=")
}

// signAfter reports whether a sign follows the keyword at once.
func signAfter(low []byte, _, end int) bool {
	rest := bytes.TrimLeft(low[end:min(len(low), end+8)], " \t")
	return len(rest) > 0 && (rest[0] == ':' || rest[0] == '=')
}

func literalCredential(_ []byte, groups []string) bool {
	value := groups[2] + groups[3] + groups[4]
	return credential(groups[1], value)
}

func bareCredential(_ []byte, groups []string) bool { return credential(groups[1], groups[2]) }
