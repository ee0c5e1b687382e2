// What the browser tests ask of the page. Each function returns a list of
// complaints, empty when all is well.
(() => {
  const visible = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest(".vh, .skip");
  const name = (e) => `<${e.tagName.toLowerCase()}${e.id ? "#" + e.id : ""} class="${e.getAttribute("class") || ""}"> ${(e.textContent || e.id).trim().slice(0, 40)}`;

  const rgba = (s) => {
    const n = s.match(/[\d.]+/g).map(Number);
    if (s.startsWith("color(srgb")) return [n[0] * 255, n[1] * 255, n[2] * 255, n[3] ?? 1];
    return [n[0], n[1], n[2], n[3] ?? 1];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const luminance = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const behind = (e) => {
    const layers = [];
    for (let n = e; n; n = n.parentElement) layers.push(rgba(getComputedStyle(n).backgroundColor));
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
  };

  window.pageTests = {
    openAll() {
      for (const d of document.querySelectorAll("details")) d.open = true;
      return [];
    },

    contrast() {
      const complaints = new Set();
      const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      let texts = 0;
      for (let n = walk.nextNode(); n; n = walk.nextNode()) {
        const e = n.parentElement;
        if (!n.data.trim() || !visible(e) || e.closest("script, style, title, desc, symbol, [aria-hidden='true']")) continue;
        texts++;
        const style = getComputedStyle(e);
        const ground = behind(e);
        const ink = over(rgba(e.closest("svg") ? style.fill : style.color), ground);
        const got = ratio(ink, ground);
        if (got < 4.5) complaints.add(`${got.toFixed(2)} ${style.color} on ${ground.map(Math.round)}: ${name(e)}`);
      }
      if (texts < 300) complaints.add(`only ${texts} texts are visible`);
      return [...complaints];
    },

    headings() {
      const complaints = [];
      let last = 0;
      for (const h of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
        const level = Number(h.tagName[1]);
        if (level > last + 1) complaints.push(`h${last} is followed by ${name(h)}`);
        last = level;
      }
      if (document.querySelectorAll("h1").length !== 1) complaints.push("not exactly one h1");
      return complaints;
    },

    names() {
      const complaints = [];
      for (const e of document.querySelectorAll("a, button, summary, input, svg[role=img], table, [role=region], section, nav")) {
        const label = e.getAttribute("aria-label") || e.getAttribute("aria-labelledby") || e.querySelector(":scope > title, :scope > caption")?.textContent ||
          (["A", "BUTTON", "SUMMARY"].includes(e.tagName) && e.textContent.trim()) || e.labels?.[0]?.textContent.trim() || e.querySelector(":scope > h3, :scope > h4")?.textContent;
        if (!label) complaints.push(`no name: ${name(e)}`);
      }
      return complaints;
    },

    overflow() {
      const width = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth <= width) return [];
      const complaints = [`${document.documentElement.scrollWidth} pixels wide on a screen of ${width}`];
      for (const e of document.querySelectorAll("main *")) {
        if (e.getBoundingClientRect().right > width + 1 && visible(e) && !e.closest(".scroll")) complaints.push(name(e));
      }
      return complaints.slice(0, 10);
    },

    watchFocus() {
      window.focused = new Set();
      window.unseen = new Set();
      document.addEventListener("focusin", (event) => {
        const e = event.target;
        focused.add(e);
        const outlined = [e, e.nextElementSibling].some((x) => x && getComputedStyle(x).outlineStyle !== "none" && parseFloat(getComputedStyle(x).outlineWidth) >= 2);
        if (!outlined && !e.matches(".skip")) unseen.add(name(e));
      });
      return [];
    },

    interactive() {
      const all = [...document.querySelectorAll("a[href], button, input, summary, [tabindex]")];
      return all.filter((e) => visible(e) || e.matches(".skip, .tile input, .theme input:checked")).filter((e) => !e.matches(".theme input:not(:checked)"));
    },

    notReached() {
      return pageTests.interactive().filter((e) => !focused.has(e)).map((e) => "not reached by Tab: " + name(e))
        .concat([...unseen].map((n) => "focus cannot be seen: " + n));
    },
  };
  return "ready";
})()
