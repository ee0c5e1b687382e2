package checks

import (
	"context"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/reviewgate/reviewgate/diff"
	"github.com/reviewgate/reviewgate/finding"
)

var workflowCheck = check{
	Info: Info{
		ID:       prefix + "workflow",
		What:     "A CI workflow that runs a stranger's code with the repository's secrets, lets a title or a branch name run as a command, or stops failing.",
		Why:      "Anybody who can open a pull request could then read the secrets, or push with the repository's token.",
		Severity: finding.Blocker,
		Category: finding.Security,
	},
	needs: patchOnly,
	run:   findWorkflows,
}

var workflowFiles = expr(`(?i)^\.(?:github|gitea|forgejo)/workflows/[^/]+\.ya?ml$|(?:^|/)action\.ya?ml$`)

func findWorkflows(ctx context.Context, s *subject, out *sink) {
	for _, f := range s.files {
		if ctx.Err() != nil {
			return
		}
		if f.Status == diff.Deleted || !workflowFiles.inString(f.path) || f.kind.fixture {
			continue
		}
		data, ok := s.content(f, out)
		if !ok {
			continue
		}
		var document yaml.Node
		if err := yaml.Unmarshal(data, &document); err != nil {
			out.unread("%s is no YAML (%v), so it was not checked", f.path, err)
			continue
		}
		w := &workflow{file: f, patch: s.patch, out: out, triggers: map[string]int{}}
		w.read(child(&document))
	}
}

// workflow is one workflow file while it is read.
type workflow struct {
	file     *file
	patch    *diff.Patch
	out      *sink
	triggers map[string]int // the events that start it, with their lines
}

func (w *workflow) read(root *yaml.Node) {
	w.readTriggers(value(root, "on"))
	w.permissions(value(root, "permissions"))
	w.unsafeEnv(value(root, "env"))
	for _, job := range pairs(value(root, "jobs")) {
		w.permissions(value(job.value, "permissions"))
		w.unsafeEnv(value(job.value, "env"))
		for _, step := range items(value(job.value, "steps")) {
			w.step(step)
		}
	}
	for _, step := range items(value(value(root, "runs"), "steps")) {
		w.step(step) // a composite action
	}
}

func (w *workflow) readTriggers(on *yaml.Node) {
	if on == nil {
		return
	}
	if on.Kind == yaml.ScalarNode {
		w.triggers[on.Value] = on.Line
	}
	for _, item := range items(on) {
		w.triggers[item.Value] = item.Line
	}
	for _, pair := range pairs(on) {
		w.triggers[pair.key.Value] = pair.key.Line
	}
}

// privileged returns the trigger by which the workflow runs with secrets on
// behalf of a stranger, and its line.
func (w *workflow) privileged() (string, int) {
	for _, name := range [...]string{"pull_request_target", "workflow_run", "issue_comment", "issues"} {
		if at, ok := w.triggers[name]; ok {
			return name, at
		}
	}
	return "", 0
}

func (w *workflow) added(at int) bool { return w.patch.Introduces(w.file.path, at) }

func (w *workflow) step(step *yaml.Node) {
	uses, run, with := value(step, "uses"), value(step, "run"), value(step, "with")
	w.unsafeEnv(value(step, "env"))
	if uses != nil && strings.HasPrefix(uses.Value, "actions/checkout@") {
		w.checkout(value(with, "ref"))
	}
	if uses != nil && strings.HasPrefix(uses.Value, "actions/github-script@") {
		w.injection(value(with, "script"))
	}
	if run != nil {
		w.injection(run)
		w.fetched(run)
		w.toothless(step, run)
	}
}

var (
	headRef   = expr(`github\.event\.pull_request\.head\.(?:sha|ref)|github\.head_ref|refs/pull/|github\.event\.workflow_run\.head_(?:sha|branch)|github\.event\.(?:pull_request|issue)\.number`)
	headFetch = expr(`\bgh\s+pr\s+checkout\b|\bgit\s+fetch\b.*\bpull/|\bgit\s+(?:checkout|switch)\b.*(?:head\.(?:sha|ref)|github\.head_ref)`)
)

// checkout looks at the ref that a step checks out.
func (w *workflow) checkout(ref *yaml.Node) {
	if ref != nil && headRef.inString(ref.Value) {
		w.stranger(ref.Line)
	}
}

// fetched looks for commands that check out the pull request.
func (w *workflow) fetched(run *yaml.Node) {
	for n, text := range scriptLines(run) {
		if headFetch.inString(text) {
			w.stranger(n)
			return
		}
	}
}

// stranger reports that a stranger's code is checked out at a line, when the
// workflow holds secrets and either part of that is new.
func (w *workflow) stranger(at int) {
	trigger, triggerAt := w.privileged()
	if trigger == "" || !w.added(at) && !w.added(triggerAt) {
		return
	}
	if !w.added(at) {
		at = triggerAt
	}
	w.out.report(w.file.path, at, 0.92, fmt.Sprintf("The workflow starts on %s, where it has the repository's secrets and a token that may write, and checks out the pull request's own code. Anybody who opens a pull request can run theirs with them: use pull_request, or split the part that needs secrets into a workflow that never runs this code.", quoted(trigger)))
}

// untrusted matches the expressions whose text a stranger chooses.
var untrusted = expr(`\$\{\{[^}]*\b(github\.(?:head_ref|event\.(?:issue\.(?:title|body)|pull_request\.(?:title|body|head\.(?:ref|label|repo\.default_branch))|comment\.body|review\.body|review_comment\.body|discussion\.(?:title|body)|pages\.[^}]*page_name|commits\.[^}]*(?:message|author\.(?:email|name))|head_commit\.(?:message|author\.(?:email|name))|workflow_run\.(?:head_branch|head_commit\.message|display_title|pull_requests\.[^}]*head\.ref))))\b`)

// injection looks for a stranger's text inside a script.
func (w *workflow) injection(script *yaml.Node) {
	for n, text := range scriptLines(script) {
		m := untrusted.groupsOf(text)
		if m == nil || !w.added(n) {
			continue
		}
		w.out.reportAs(finding.Major, w.file.path, n, 0.92, fmt.Sprintf("The text of %s is pasted into the script before it runs, so whoever writes that text can run commands here. Pass it through env: and use the variable, quoted.", quoted(m[1])))
	}
}

// permissions reports a token that may write everything.
func (w *workflow) permissions(node *yaml.Node) {
	if node != nil && node.Value == "write-all" && w.added(node.Line) {
		w.out.reportAs(finding.Major, w.file.path, node.Line, 0.85, "The workflow's token may write everything in the repository. A fault in any step or action then has the whole repository: list the few permissions that it needs.")
	}
}

// unsafeEnv reports the switch that lets any output set variables.
func (w *workflow) unsafeEnv(env *yaml.Node) {
	for _, pair := range pairs(env) {
		if pair.key.Value == "ACTIONS_ALLOW_UNSECURE_COMMANDS" && pair.value.Value == "true" && w.added(pair.value.Line) {
			w.out.reportAs(finding.Major, w.file.path, pair.value.Line, 0.95, "ACTIONS_ALLOW_UNSECURE_COMMANDS lets whatever a step prints change the environment of the next ones. It was withdrawn for that reason: write to GITHUB_ENV and GITHUB_PATH.")
		}
	}
}

var (
	testCommand = expr(`(?i)\b(?:go\s+(?:test|vet)|(?:npm|yarn|pnpm|bun)\s+(?:run\s+)?(?:test|lint|check)|npx\s+(?:jest|vitest|tsc|eslint|playwright)|pytest|tox\b|nox\b|cargo\s+(?:test|clippy)|mvn\b.*\b(?:test|verify)|gradlew?\b.*\b(?:test|check)|dotnet\s+test|rspec|rake\s+(?:test|spec)|phpunit|make\s+(?:test|check|lint)|ctest|swift\s+test|golangci-lint|staticcheck|govulncheck|reviewgate)\b`)
	swallowed   = expr(`\|\|\s*(?:true|:|exit\s+0)\s*$`)
)

// toothless reports a test step that can no longer fail.
func (w *workflow) toothless(step, run *yaml.Node) {
	const advice = "Let it fail, or say in a comment why this one may not."
	if proceed := value(step, "continue-on-error"); proceed != nil && proceed.Value == "true" && w.added(proceed.Line) && testCommand.inString(run.Value) {
		w.out.add(finding.Finding{
			File: w.file.path, Line: proceed.Line, Severity: finding.Major, Category: finding.Testing, Confidence: 0.8,
			Message: "The workflow goes on when this test step fails, so it stays green whatever the tests say. " + advice,
		})
	}
	for n, text := range scriptLines(run) {
		if testCommand.inString(text) && swallowed.inString(text) && w.added(n) {
			w.out.add(finding.Finding{
				File: w.file.path, Line: n, Severity: finding.Major, Category: finding.Testing, Confidence: 0.8,
				Message: "The failure of this command is swallowed, so the step stays green whatever the tests say. " + advice,
			})
		}
	}
}
