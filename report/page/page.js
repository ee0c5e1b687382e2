// The page works without this: it adds a search, opens what a link points to,
// and remembers the theme. A page of one change has neither search nor buttons.
"use strict";
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const changes = all(".change");
  const one = (id) => document.getElementById(id);
  for (const tools of all(".tools")) tools.hidden = false;

  for (const [id, open] of [["open-all", true], ["close-all", false]]) {
    one(id)?.addEventListener("click", () => {
      for (const change of changes) change.firstElementChild.open = open;
    });
  }

  const find = () => {
    const words = one("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const change of changes) {
      const fits = words.every((word) => change.dataset.find.includes(word));
      shown += fits;
      for (const part of all(`[data-of="${CSS.escape(change.dataset.of)}"]`)) part.hidden = !fits;
    }
    for (const group of all(".board tbody")) {
      group.hidden = !group.querySelector("tr[data-of]:not([hidden])");
    }
    one("nothing").hidden = shown > 0;
    one("found-count").textContent = words.length ? `${shown} of ${changes.length}` : "";
  };
  one("find")?.addEventListener("input", find);

  const reveal = () => {
    const target = one(decodeURIComponent(location.hash.slice(1)));
    const change = target && target.closest(".change");
    if (!change) return;
    change.firstElementChild.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  addEventListener("beforeprint", () => {
    for (const change of changes) change.firstElementChild.open = true;
  });

  // Storage is refused on some file: pages; the theme is then forgotten.
  const themes = all('input[name="theme"]');
  try {
    const kept = localStorage.getItem("reviewgate-theme");
    for (const theme of themes) if (theme.value === kept) theme.checked = true;
  } catch {}
  for (const theme of themes) {
    theme.addEventListener("change", () => {
      try { localStorage.setItem("reviewgate-theme", theme.value); } catch {}
    });
  }
})();
