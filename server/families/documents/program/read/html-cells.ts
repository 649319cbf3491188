const maxSpan = 1_000;
/** A hostile page would add cells without end. */
const maxAdded = 100_000;

/** Adds the empty cells that merged cells cover, so that the values of a row stay under their headings. */
export function addCoveredCells(document: Document): void {
  let added = 0;
  for (const table of document.querySelectorAll("table")) {
    const below: number[] = [];
    for (const row of table.querySelectorAll("tr")) {
      if (row.closest("table") !== table) continue;
      let column = 0;
      const skipCovered = (before: Element | null) => {
        while ((below[column] ?? 0) > 0) {
          below[column] = (below[column] ?? 0) - 1;
          if (++added > maxAdded) return;
          row.insertBefore(document.createElement("td"), before);
          column += 1;
        }
      };
      for (const cell of [...row.children].filter(({ localName }) => localName === "td" || localName === "th")) {
        skipCovered(cell);
        const width = spanOf(cell, "colspan");
        const height = spanOf(cell, "rowspan");
        for (let at = 0; at < width; at += 1) {
          if (at > 0 && ++added <= maxAdded) row.insertBefore(document.createElement("td"), cell.nextSibling);
          below[column] = height - 1;
          column += 1;
        }
      }
      skipCovered(null);
    }
  }
}

const spanOf = (cell: Element, name: string): number =>
  Math.min(maxSpan, Math.max(1, Number.parseInt(cell.getAttribute(name) ?? "", 10) || 1));

/** Removes elements that a browser does not show, and returns the number of their signs. */
export function removeUnseen(document: Document): number {
  let count = 0;
  const remove = (element: Element) => {
    count += (element.textContent ?? "").replaceAll(/\s+/g, " ").trim().length;
    element.remove();
  };
  for (const element of document.querySelectorAll("[style]")) {
    if (/(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all)/i.test(element.getAttribute("style") ?? ""))
      remove(element);
  }
  for (const element of document.querySelectorAll("[hidden]")) remove(element);
  for (const selector of hidingSelectors(document)) {
    try {
      for (const element of document.querySelectorAll(selector)) remove(element);
    } catch {
      // A selector that the parser does not know hides nothing here.
    }
  }
  return count;
}

/** Selectors of rules of the page itself that hide what they select, outside of media queries. */
function hidingSelectors(document: Document): string[] {
  const css = [...document.querySelectorAll("style")]
    .map(({ textContent }) => textContent ?? "")
    .join("\n")
    .slice(0, 500_000);
  const plain = css.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/@[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, "");
  return [...plain.matchAll(/([^{}]{1,300})\{([^{}]{0,2000})\}/g)]
    .filter(([, , rules = ""]) => /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(rules))
    .map(([, selector = ""]) => selector.trim())
    .filter((selector) => !selector.includes(":"))
    .slice(0, 200);
}
