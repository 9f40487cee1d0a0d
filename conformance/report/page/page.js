"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const rules = [...document.querySelectorAll("details.rule")];
  const areas = [...document.querySelectorAll("section.area")];
  const chips = [...document.querySelectorAll("button.chip")];
  const text = $("text"), area = $("area"), fold = $("fold");
  // What a rule is found by: all that stands in it, also where it is folded.
  const words = new Map(rules.map((r) => [r, r.textContent.toLowerCase()]));
  const visible = () => rules.filter((r) => !r.hidden);

  function filter() {
    const marks = chips.filter((c) => c.getAttribute("aria-pressed") === "true").map((c) => c.dataset.mark);
    const wanted = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const section of areas) {
      let any = false;
      for (const r of section.querySelectorAll("details.rule")) {
        r.hidden = (area.value !== "" && section.dataset.area !== area.value) ||
          (marks.length > 0 && !marks.includes(r.dataset.mark)) ||
          !wanted.every((w) => words.get(r).includes(w));
        any ||= !r.hidden;
      }
      section.hidden = !any;
    }
    const n = visible().length;
    $("shown").textContent = `${n} of ${rules.length} rules`;
    $("nothing").hidden = n > 0;
    const state = new URLSearchParams();
    if (marks.length) state.set("verdict", marks.join(","));
    if (area.value) state.set("area", area.value);
    if (text.value) state.set("text", text.value);
    const hash = state.toString();
    // Where the page has no address that it may change, it is not kept.
    try { history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search); } catch { /* about:srcdoc */ }
  }

  function clear() {
    chips.forEach((c) => c.setAttribute("aria-pressed", "false"));
    area.value = "";
    text.value = "";
    filter();
  }

  function restore() {
    const target = $(decodeURIComponent(location.hash.slice(1)));
    if (target?.matches("details.rule")) {
      target.open = true;
      target.scrollIntoView();
      return;
    }
    const state = new URLSearchParams(location.hash.slice(1));
    const marks = (state.get("verdict") ?? "").split(",");
    chips.forEach((c) => c.setAttribute("aria-pressed", String(marks.includes(c.dataset.mark))));
    area.value = state.get("area") ?? "";
    if (area.selectedIndex < 0) area.value = "";
    text.value = state.get("text") ?? "";
  }

  // step moves the focus to the next rule that is shown, or to the one before.
  function step(by) {
    const all = visible();
    const now = all.indexOf(document.activeElement?.closest?.("details.rule"));
    const next = all[Math.min(all.length - 1, Math.max(0, now < 0 ? (by > 0 ? 0 : all.length - 1) : now + by))];
    next?.querySelector("summary").focus();
  }

  async function copy(button) {
    const code = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "selected";
    }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  }

  chips.forEach((c) => c.addEventListener("click", () => {
    c.setAttribute("aria-pressed", String(c.getAttribute("aria-pressed") !== "true"));
    filter();
  }));
  text.addEventListener("input", filter);
  area.addEventListener("change", filter);
  $("clear").addEventListener("click", clear);
  $("filters").addEventListener("submit", (e) => e.preventDefault());
  fold.addEventListener("click", () => {
    const open = fold.textContent === "open all";
    visible().forEach((r) => { r.open = open; });
    fold.textContent = open ? "close all" : "open all";
  });
  document.querySelectorAll("button.copy").forEach((b) => {
    b.hidden = false;
    b.addEventListener("click", () => copy(b));
  });
  document.addEventListener("keydown", (e) => {
    const typing = e.target.matches?.("input, select, textarea");
    if (e.key === "Escape") {
      clear();
      if (typing) e.target.blur();
    } else if (typing || e.ctrlKey || e.metaKey || e.altKey) {
      return;
    } else if (e.key === "/") {
      text.focus();
    } else if (e.key === "j" || e.key === "k") {
      step(e.key === "j" ? 1 : -1);
    } else {
      return;
    }
    e.preventDefault();
  });

  // A link to a rule shows it, whatever the filters say.
  addEventListener("hashchange", () => {
    const target = $(decodeURIComponent(location.hash.slice(1)));
    if (!target?.matches("details.rule")) return;
    if (target.hidden) clear();
    target.open = true;
    target.scrollIntoView();
  });

  $("filters").hidden = false;
  restore();
  filter();
})();
