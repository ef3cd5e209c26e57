/**
 * Runs in a page: what keeps somebody from reading it. Contrast is that of WCAG 2.1 AA, of every piece of text against the first
 * background behind it.
 */
export const READABLE = `(() => {
  const faults = new Set();
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.add("scrolls sideways");
  if (root.lang === "" || document.title === "") faults.add("has no language or title");
  if (document.querySelectorAll("h1").length !== 1) faults.add("has not one h1");
  let above = 0;
  for (const heading of document.querySelectorAll("main :is(h1, h2, h3, h4, h5, h6)")) {
    const depth = Number(heading.tagName[1]);
    if (depth > above + 1) faults.add("leaves out a heading before " + heading.textContent);
    above = depth;
  }
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  if (new Set(ids).size < ids.length) faults.add("has one id twice");
  for (const field of document.querySelectorAll("input, button, a, img")) {
    const named = field.ariaLabel || field.alt || field.textContent.trim() || field.labels?.length;
    if (!named) faults.add("has no name: " + field.outerHTML.slice(0, 80));
  }
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [red, green, blue] = numbers(colour).map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((numbers(colour)[3] ?? 1) > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !element.checkVisibility()) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const [low, high] = [light(color), light(behind(element))].sort((a, b) => a - b);
    const size = parseFloat(fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
    if ((high + 0.05) / (low + 0.05) < least) faults.add("is too faint: " + texts.currentNode.data.slice(0, 40));
  }
  return [...faults];
})()`;
