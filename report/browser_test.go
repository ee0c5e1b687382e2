package report

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tab is the page of the stored run, open in a real browser.
type tab struct {
	context.Context
	url    string
	closed chan struct{} // when nothing listens any more

	mu       sync.Mutex
	requests []string
	console  []string
}

// newBrowser starts a browser for all tabs of a test. script/setup installs it;
// without one the test fails, for nobody would know that the page is broken.
func newBrowser(t *testing.T) context.Context {
	t.Helper()
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(time.Minute))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start a browser (script/setup installs chromium): %v", err)
	}
	return ctx
}

// open shows the page in a new tab, in a colour scheme and at a width.
func open(t *testing.T, browser context.Context, page []byte, scheme string, width int64) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(browser)
	tb := &tab{Context: ctx, url: "file://" + file, closed: make(chan struct{})}
	t.Cleanup(func() {
		cancel()
		<-tb.closed
	})
	tb.listen(t)
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
	tb.do(t, chromedp.EmulateViewport(width, 900), chromedp.Navigate(tb.url))
	script, err := os.ReadFile("testdata/browser.js")
	if err != nil {
		t.Fatal(err)
	}
	if got := evaluate[string](t, tb, string(script)); got != "ready" {
		t.Fatalf("browser.js answers %q", got)
	}
	return tb
}

// listen notes every request and everything that reaches the console.
func (tb *tab) listen(t *testing.T) {
	t.Helper()
	if _, err := chromedp.Call(tb, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	err := chromedp.Listen(tb, func(ev any) {
		if e, ok := ev.(*network.EventRequestWillBeSent); ok {
			tb.mu.Lock()
			defer tb.mu.Unlock()
			tb.requests = append(tb.requests, e.Request.URL)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	messages := chromedp.Console(tb)
	go func() {
		defer close(tb.closed)
		for m, err := range messages {
			if err != nil {
				return
			}
			tb.mu.Lock()
			tb.console = append(tb.console, m.String())
			tb.mu.Unlock()
		}
	}()
}

func (tb *tab) do(t *testing.T, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(tb, steps...); err != nil {
		t.Fatal(err)
	}
}

// quiet fails when the page has asked for anything but itself, or has said
// anything on the console.
func (tb *tab) quiet(t *testing.T) {
	t.Helper()
	tb.mu.Lock()
	defer tb.mu.Unlock()
	for _, r := range tb.requests {
		if r != tb.url && !strings.HasPrefix(r, tb.url+"#") {
			t.Errorf("the page asks for %s", r)
		}
	}
	if len(tb.requests) == 0 {
		t.Error("no request was seen, not even the page's own")
	}
	for _, m := range tb.console {
		t.Errorf("on the console: %s", m)
	}
}

func evaluate[T any](t *testing.T, tb *tab, expression string) T {
	t.Helper()
	got, err := chromedp.Run(tb, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%.100s: %v", expression, err)
	}
	return got
}

// holds runs functions of browser.js and reports what they complain about.
func (tb *tab) holds(t *testing.T, functions ...string) {
	t.Helper()
	for _, f := range functions {
		for _, complaint := range evaluate[[]string](t, tb, "pageTests."+f+"()") {
			t.Errorf("%s: %s", f, complaint)
		}
	}
}

func TestPageInABrowser(t *testing.T) {
	browser := newBrowser(t)
	t.Run("looks right", func(t *testing.T) { testLooks(t, browser) })
	t.Run("answers its reader", func(t *testing.T) { testAnswers(t, browser) })
	t.Run("works without scripts", func(t *testing.T) { testWithoutScripts(t, browser) })
	t.Run("shows every change on paper", func(t *testing.T) { testPaper(t, browser) })
	t.Run("refuses a script that is not its own", func(t *testing.T) { testPolicy(t, browser) })
}

func testLooks(t *testing.T, browser context.Context) {
	page := pageOf(t, storedRun(t))
	for _, tt := range []struct {
		name, scheme string
		width        int64
		checks       []string
	}{
		{"light, on a desk", "light", 1280, []string{"headings", "names", "openAll", "contrast", "overflow"}},
		{"dark, on a desk", "dark", 1280, []string{"openAll", "contrast"}},
		{"on a phone", "light", 390, []string{"overflow", "openAll", "overflow", "contrast"}},
		{"on a small phone, dark", "dark", 320, []string{"openAll", "overflow", "contrast"}},
		{"on a tablet", "light", 768, []string{"openAll", "overflow"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, browser, page, tt.scheme, tt.width)
			tb.holds(t, tt.checks...)
			tb.quiet(t)
		})
	}
	single := storedRun(t)
	single.Entries = single.Entries[3:4]
	for _, scheme := range []string{"light", "dark"} {
		t.Run("one change, on a phone, "+scheme, func(t *testing.T) {
			tb := open(t, browser, pageOf(t, single), scheme, 390)
			tb.holds(t, "headings", "names", "overflow")
			tb.quiet(t)
		})
	}
	t.Run("the last heading of the board keeps its distance, and the sections show no scrollbar", func(t *testing.T) {
		for _, width := range []int64{961, 1280} {
			tb := open(t, browser, page, "light", width)
			if got := evaluate[bool](t, tb, `(() => { const h = document.querySelector(".board thead .num"); return h.scrollWidth <= h.clientWidth })()`); !got {
				t.Errorf("at %d pixels the last heading touches the border", width)
			}
		}
		tb := open(t, browser, page, "light", 390)
		if got := evaluate[bool](t, tb, `(() => { const n = document.querySelector(".sections .wrap"); return n.scrollWidth <= n.clientWidth && n.offsetHeight === n.clientHeight })()`); !got {
			t.Error("the sections scroll at 390 pixels")
		}
	})
	t.Run("every control is reached by Tab, and its focus is seen", func(t *testing.T) {
		tb := open(t, browser, page, "light", 1280)
		if _, err := chromedp.Call(tb, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
			t.Fatal(err)
		}
		tb.holds(t, "watchFocus")
		for range evaluate[int](t, tb, "pageTests.interactive().length + 2") {
			tb.do(t, chromedp.KeyEvent(kb.Tab))
		}
		tb.holds(t, "notReached")
	})
	t.Run("hostile text is shown and does nothing", func(t *testing.T) {
		tb := open(t, browser, pageOf(t, hostileRun("<img src=x onerror=alert(1)></script><script>alert(1)</script>\u202e")), "dark", 390)
		tb.holds(t, "openAll", "overflow")
		tb.quiet(t)
	})
}

const (
	shownChanges = `[...document.querySelectorAll(".change")].filter((e) => e.checkVisibility()).map((e) => e.querySelector(".id").textContent).join(" ")`
	shownRows    = `[...document.querySelectorAll(".board tr[data-of]")].filter((e) => e.checkVisibility()).map((e) => e.querySelector(".id").textContent).join(" ")`
)

func testAnswers(t *testing.T, browser context.Context) {
	page := pageOf(t, storedRun(t))
	for _, tt := range []struct{ name, act, ask, want string }{
		{"all changes are there at first, heaviest verdict first", ``, shownChanges, "pr-01 pr-03 pr-04 pr-05 pr-12 pr-06 pr-07 pr-08 pr-09 pr-11 pr-02 pr-10"},
		{"a verdict can be switched off", `document.getElementById("show-block").click()`, shownChanges, "pr-06 pr-07 pr-08 pr-09 pr-11 pr-02 pr-10"},
		{"its rows go too", `document.getElementById("show-block").click()`, shownRows, "pr-06 pr-07 pr-08 pr-09 pr-11 pr-02 pr-10"},
		{"a search finds titles, reasons and files", `find.value = "GLOSSARY jobs.go"; find.dispatchEvent(new Event("input"))`, shownChanges, "pr-05"},
		{"a search that finds nothing says so", `find.value = "zzz"; find.dispatchEvent(new Event("input"))`, `[...document.querySelectorAll("#nothing")].filter((e) => e.checkVisibility()).map((e) => e.textContent).join()`, "No change fits."},
		{"an address opens its change", `location.hash = "#change-pr-02"; new Promise((done) => addEventListener("hashchange", done))`, `String(document.getElementById("change-pr-02").closest("details").open)`, "true"},
		{"close all", `document.getElementById("close-all").click()`, `String(document.querySelectorAll(".change > details[open]").length)`, "0"},
		{"open all", `document.getElementById("open-all").click()`, `String(document.querySelectorAll(".change > details[open]").length)`, "12"},
		{"the theme can be dark on a light screen", `document.getElementById("theme-dark").click()`, `getComputedStyle(document.documentElement).colorScheme`, "dark"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tb := open(t, browser, page, "light", 1280)
			if _, err := chromedp.Run(tb, chromedp.Evaluate[chromedp.Void](fmt.Sprintf("(async () => { const find = document.getElementById('find'); await (%s) })()", orVoid(tt.act)), chromedp.EvalAwaitPromise)); err != nil {
				t.Fatal(err)
			}
			if got := evaluate[string](t, tb, tt.ask); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			tb.quiet(t)
		})
	}
}

func orVoid(act string) string {
	if act == "" {
		return "0"
	}
	return strings.ReplaceAll(act, "; ", ", ")
}

func testWithoutScripts(t *testing.T, browser context.Context) {
	tb := open(t, browser, pageOf(t, storedRun(t)), "light", 1280)
	if _, err := chromedp.Call(tb, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	tb.do(t, chromedp.Navigate(tb.url))
	evaluate[bool](t, tb, `document.querySelector(".tile.block").click(); document.querySelector(".change[data-verdict=merge] summary").click(); true`)
	if got, want := evaluate[string](t, tb, shownChanges), "pr-06 pr-07 pr-08 pr-09 pr-11 pr-02 pr-10"; got != want {
		t.Errorf("without scripts, after a click on the tile: %q, want %q", got, want)
	}
	if got := evaluate[string](t, tb, `String(document.getElementById("change-pr-02").checkVisibility())`); got != "true" {
		t.Error("without scripts a change does not open")
	}
	if got := evaluate[int](t, tb, `[...document.querySelectorAll(".tools")].filter((e) => e.checkVisibility()).length`); got != 0 {
		t.Errorf("%d controls that need scripts are shown without", got)
	}
	tb.quiet(t)
}

func testPaper(t *testing.T, browser context.Context) {
	tb := open(t, browser, pageOf(t, storedRun(t)), "dark", 800)
	if _, err := chromedp.Call(tb, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	if got := evaluate[string](t, tb, `getComputedStyle(document.documentElement).colorScheme`); got != "light" {
		t.Errorf("paper is %s", got)
	}
	if got := evaluate[int](t, tb, `[...document.querySelectorAll(".body")].filter((e) => e.getBoundingClientRect().height < 50).length`); got != 0 {
		t.Errorf("%d changes stay closed on paper", got)
	}
}

// testPolicy proves the wall behind the escaping: even an element that got into
// the page could not run.
func testPolicy(t *testing.T, browser context.Context) {
	broken := strings.Replace(string(pageOf(t, storedRun(t))), "</main>", `<script>window.broken = 1</script><img src="https://x.invalid/y.png" onerror="window.broken = 1"></main>`, 1)
	tb := open(t, browser, []byte(broken), "light", 1280)
	if got := evaluate[string](t, tb, "String(window.broken)"); got != "undefined" {
		t.Error("a foreign script ran")
	}
	tb.mu.Lock()
	defer tb.mu.Unlock()
	if said := strings.Join(tb.console, "\n"); !strings.Contains(said, "Content Security Policy") {
		t.Errorf("the console does not tell that the policy was broken: %s", said)
	}
}
