package checks

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
	"github.com/reviewgate/reviewgate/reviewer/checks/secret"
)

var secretCheck = check{
	Info: Info{
		ID:       prefix + "secret",
		What:     "A credential on an added line: a provider's token, a private key, a password in a URL or a literal.",
		Why:      "Whoever can read the repository, now or later, can use it; deleting the line does not take it back.",
		Severity: finding.Blocker,
		Category: finding.SecretInCode,
	},
	needs: patchOnly,
	run:   findSecrets,
}

func findSecrets(ctx context.Context, s *subject, out *sink) {
	for _, f := range s.files {
		if ctx.Err() != nil {
			return
		}
		if f.Status == diff.Added && keyFiles.inString(f.path) && !f.kind.test && !f.kind.fixture {
			out.report(f.path, 1, 0.8, fmt.Sprintf("The key file %s is added to the repository. Whoever can read the repository has the key: take it out of the history, replace the key, and keep it in a secret store.", path.Base(f.path)))
		}
		text, numbers := s.joined(f)
		if len(text) == 0 {
			continue
		}
		hits, err := s.secrets.Scan(ctx, f.path, text)
		if err != nil {
			out.unread("%s was not read for secrets: %v", f.path, err)
			continue
		}
		for _, h := range hits {
			if judged, ok := judgeSecret(f, h); ok {
				judged.File, judged.Line, judged.EndLine = f.path, numbers[h.Line], endLine(numbers, h)
				out.add(judged)
			}
		}
	}
}

// keyFiles are files that hold nothing but a key.
var keyFiles = expr(`(?i)(?:^|/)(?:[^/]+\.(?:p12|pfx|jks|keystore|ppk)|id_(?:rsa|dsa|ecdsa|ed25519))$`)

// joined returns the added lines of a file as one text, and the number of each.
func (s *subject) joined(f *file) ([]byte, []int) {
	var text bytes.Buffer
	var numbers []int
	for l := range s.everyAdded(f) {
		text.Write(l.text)
		text.WriteByte('\n')
		numbers = append(numbers, l.number)
	}
	return text.Bytes(), numbers
}

func endLine(numbers []int, h secret.Hit) int {
	if h.EndLine <= h.Line {
		return 0
	}
	return numbers[min(h.EndLine, len(numbers)-1)]
}

// judgeSecret says what a hit weighs where it was found; false when it is
// nothing to report.
func judgeSecret(f *file, h secret.Hit) (finding.Finding, bool) {
	harmless := f.kind.test || f.kind.fixture || f.kind.docs || f.kind.example || exampleFile.inString(f.path)
	switch {
	case h.Fake(), f.kind.lock:
		return finding.Finding{}, false
	case harmless && (h.Generic || h.Rule == "jwt" || strings.HasPrefix(h.Rule, "private-key")):
		return finding.Finding{}, false
	case h.Excused:
		return finding.Finding{
			Severity: finding.Major, Confidence: 0.7, Title: "Excused credential",
			Message: fmt.Sprintf("This line looks like %s and excuses itself with gitleaks:allow. A change cannot clear itself: have somebody confirm that the value is no secret.", h.What),
		}, true
	case harmless:
		return finding.Finding{Severity: finding.Major, Confidence: 0.7, Title: "Credential", Message: secretMessage(h)}, true
	case h.Generic:
		return finding.Finding{Confidence: 0.8, Title: "Credential in code", Message: secretMessage(h)}, true
	}
	return finding.Finding{Confidence: 0.95, Title: "Credential in code", Message: secretMessage(h)}, true
}

// exampleFile matches files that are copied and filled in.
var exampleFile = expr(`(?i)[._-](?:example|sample|dist|template|tmpl|tpl)(?:\.\w+)?$|(?:^|/)(?:example|sample|template)[._-]`)

// secretMessage never shows the secret, only its length.
func secretMessage(h secret.Hit) string {
	what := strings.ToUpper(h.What[:1]) + h.What[1:]
	if h.Name != "" && len(h.Name) <= 60 && !strings.Contains(h.Name, h.Secret) && !strings.Contains(h.Secret, h.Name) {
		what += " (" + h.Name + ")"
	}
	return fmt.Sprintf("%s, %d characters long, is written into the code (rule %s). Whoever can read the repository can use it: revoke it, and read the new one from the environment or a secret store.", what, len(h.Secret), h.Rule)
}
