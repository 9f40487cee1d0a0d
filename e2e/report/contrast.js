(() => {
  const parse = (c) => {
    const m = /^rgba?\(([\d.]+),? ([\d.]+),? ([\d.]+)(?:[,/ ]+([\d.]+))?\)$/.exec(c);
    if (!m) throw new Error("a colour that is none: " + c);
    return [+m[1], +m[2], +m[3], m[4] === undefined ? 1 : +m[4]];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (el) => {
    const layers = [];
    for (let e = el; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c[3] > 0) layers.push(c);
      if (c[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  // What stands behind a text of a picture is drawn, not styled.
  const drawnBehind = (text) => {
    const group = text.closest("g");
    const box = (text.matches(".omw-label") && text.previousElementSibling?.matches("rect.omw-note") && text.previousElementSibling) ||
      group?.querySelector("rect.omw-band") || (group?.matches(".omw-head") && group.querySelector("rect"));
    if (box) return parse(getComputedStyle(box).fill);
    return behind(text.closest("svg"));
  };
  document.querySelectorAll("details").forEach((d) => { d.open = true; });
  const texts = [...document.querySelectorAll("body *")].filter((e) =>
    !["SCRIPT", "STYLE", "OPTION"].includes(e.tagName) && !e.matches("title, desc") && e.checkVisibility() &&
    [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim() !== ""));
  const faint = [];
  for (const e of texts) {
    const svg = e.closest("svg") !== null && e.tagName !== "svg";
    const style = getComputedStyle(e);
    const back = svg ? drawnBehind(e) : behind(e);
    const color = over(parse(svg ? style.fill : style.color), back);
    const [a, b] = [light(color), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) faint.push({ Text: e.textContent.trim().slice(0, 60), Color: color.join(), Behind: back.join(), Ratio: ratio });
  }
  return { Seen: texts.length, Faint: faint };
})()
