import { attributeOf, childOf, descendants, element, escapeXml, parseXml, unescapeXml, writeXml } from "./xml.mjs";

/** Elements whose runs are text of the paragraph, beside the runs directly in it. */
const holders = new Set(["w:hyperlink", "w:ins", "w:smartTag", "w:sdt", "w:sdtContent", "w:fldSimple"]);

/** The body of a Word document: its paragraphs by number, and changes of them. */
export class WordDocument {
  constructor(source) {
    this.root = parseXml(source);
    const [body] = descendants(this.root, "w:body");
    if (!body) throw new Error("The file is no Word document: it has no body.");
    this.body = body;
    this.paragraphs = [];
    this.#collect(body, "");
    this.nextRevision =
      1 +
      Math.max(
        0,
        ...[...descendants(this.root, "w:ins"), ...descendants(this.root, "w:del")].map((node) => Number(attributeOf(node, "w:id")) || 0),
      );
  }

  write() {
    return writeXml(this.root);
  }

  #collect(parent, place) {
    let tables = 0;
    for (const node of parent.children) {
      if (node.name === "w:p") this.paragraphs.push({ node, parent, place });
      else if (node.name === "w:tbl") {
        tables += 1;
        this.#collectTable(node, place === "" ? `table ${tables}` : `${place}, table ${tables}`);
      } else if (node.name === "w:sdt" || node.name === "w:sdtContent") this.#collect(node, place);
    }
  }

  #collectTable(table, name) {
    [...table.children]
      .filter((row) => row.name === "w:tr")
      .forEach((row, rowIndex) => {
        row.children
          .filter((cell) => cell.name === "w:tc")
          .forEach((cell, cellIndex) => {
            this.#collect(cell, `${name}, row ${rowIndex + 1}, column ${cellIndex + 1}`);
          });
      });
  }

  /** The paragraph of a number, from 1. */
  at(number) {
    const found = Number.isInteger(number) ? this.paragraphs[number - 1] : undefined;
    if (!found) throw new Error(`There is no paragraph ${number}. The document has ${this.paragraphs.length}.`);
    return found;
  }

  replaceIn({ node }, find, replacement, revision) {
    const pieces = piecesOf(node);
    const text = pieces.map((piece) => piece.text).join("");
    let count = 0;
    // From the end, so that earlier places keep their positions.
    for (let at = text.lastIndexOf(find); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(find, at - find.length)) {
      this.#replaceRange(node, { start: at, end: at + find.length }, replacement, revision);
      count += 1;
      if (at < find.length) break;
    }
    return count;
  }

  setText({ node }, text, revision) {
    const length = textOf(node).length;
    if (length === 0) node.children.push(...this.#inserted([runWith(null, text)], revision));
    else this.#replaceRange(node, { start: 0, end: length }, text, revision);
  }

  insertAfter(number, text, style, revision) {
    const before = number === 0 ? this.at(1) : this.at(number);
    const properties = childOf(before.node, "w:pPr");
    const kept = properties ? properties.children.filter((child) => !["w:sectPr", "w:rPr", "w:pPrChange"].includes(child.name)) : [];
    const chosen = style ? [styled(style), ...kept.filter((child) => !["w:pStyle", "w:numPr", "w:outlineLvl"].includes(child.name))] : kept;
    const mark = revision ? [element("w:rPr", "", [empty("w:ins", this.#stamp(revision))])] : [];
    const runFormat = style ? null : formatOf(before.node);
    const node = element("w:p", "", [
      ...(chosen.length + mark.length > 0 ? [element("w:pPr", "", [...chosen, ...mark])] : []),
      ...this.#inserted([runWith(runFormat, text)], revision),
    ]);
    const place = before.parent.children.indexOf(before.node);
    before.parent.children.splice(number === 0 ? place : place + 1, 0, node);
  }

  remove({ node, parent }, revision) {
    if (revision) {
      const length = textOf(node).length;
      if (length > 0) this.#replaceRange(node, { start: 0, end: length }, "", revision);
      const properties = propertiesOf(node);
      const marks = childOf(properties, "w:rPr") ?? addLast(properties, element("w:rPr"));
      marks.children.unshift(empty("w:del", this.#stamp(revision)));
      return;
    }
    const siblings = parent.children.filter((child) => child.name === "w:p");
    // Word needs a paragraph in each cell, and the settings of a section stand in its last paragraph.
    if ((parent.name === "w:tc" && siblings.length === 1) || childOf(childOf(node, "w:pPr") ?? element(""), "w:sectPr")) {
      node.children = node.children.filter((child) => child.name === "w:pPr");
      return;
    }
    parent.children.splice(parent.children.indexOf(node), 1);
  }

  format({ node }, { bold, italic, underline, style, align }) {
    const properties = propertiesOf(node);
    if (style) {
      properties.children = [styled(style), ...properties.children.filter((child) => child.name !== "w:pStyle")];
    }
    if (align) {
      properties.children = properties.children.filter((child) => child.name !== "w:jc");
      const behind = properties.children.findIndex((child) =>
        ["w:textDirection", "w:textAlignment", "w:outlineLvl", "w:rPr", "w:sectPr", "w:pPrChange"].includes(child.name),
      );
      properties.children.splice(behind < 0 ? properties.children.length : behind, 0, empty("w:jc", ` w:val="${escapeXml(align)}"`));
    }
    for (const run of runsOf(node)) {
      const format = childOf(run, "w:rPr") ?? addFirst(run, element("w:rPr"));
      if (bold) setFlag(format, "w:b", "");
      if (italic) setFlag(format, "w:i", "");
      if (underline) setFlag(format, "w:u", ' w:val="single"');
    }
  }

  /** Replaces a range of the paragraph's text; runs are split at its ends, and the new text has the format of its first letter. */
  #replaceRange(paragraph, { start, end }, text, revision) {
    splitAt(paragraph, start);
    splitAt(paragraph, end);
    let at = 0;
    let isPlaced = false;
    for (const { run, parent, text: own } of piecesOf(paragraph)) {
      const from = at;
      at += own.length;
      if (own.length === 0 || from < start || at > end) continue;
      const added =
        isPlaced || text === ""
          ? []
          : this.#inserted([runWith(childOf(run, "w:rPr"), text)], revision && parent.name !== "w:ins" ? revision : null);
      isPlaced = true;
      const gone = revision ? (parent.name === "w:ins" ? [] : [element("w:del", this.#stamp(revision), [deleted(run)])]) : [];
      parent.children.splice(parent.children.indexOf(run), 1, ...gone, ...added);
    }
  }

  #inserted(runs, revision) {
    return revision ? [element("w:ins", this.#stamp(revision), runs)] : runs;
  }

  #stamp({ author, date }) {
    const id = this.nextRevision;
    this.nextRevision += 1;
    return ` w:id="${id}" w:author="${escapeXml(author)}" w:date="${date}"`;
  }
}

const empty = (name, attributes = "") => ({ ...element(name, attributes), isEmpty: true });
const styled = (style) => empty("w:pStyle", ` w:val="${escapeXml(style)}"`);

function addFirst(node, child) {
  node.children.unshift(child);
  node.isEmpty = false;
  return child;
}

function addLast(node, child) {
  const behind = node.children.findIndex((one) => ["w:sectPr", "w:pPrChange"].includes(one.name));
  node.children.splice(behind < 0 ? node.children.length : behind, 0, child);
  node.isEmpty = false;
  return child;
}

const propertiesOf = (paragraph) => childOf(paragraph, "w:pPr") ?? addFirst(paragraph, element("w:pPr"));
const formatOf = (paragraph) => {
  const [run] = runsOf(paragraph);
  return run ? childOf(run, "w:rPr") : null;
};

/** The order that the format of Word prescribes begins so. */
function setFlag(format, name, attributes) {
  format.children = format.children.filter((child) => child.name !== name);
  const order = [
    "w:rStyle",
    "w:rFonts",
    "w:b",
    "w:bCs",
    "w:i",
    "w:iCs",
    "w:caps",
    "w:smallCaps",
    "w:strike",
    "w:color",
    "w:spacing",
    "w:sz",
    "w:szCs",
    "w:highlight",
    "w:u",
  ];
  const place = order.indexOf(name);
  const behind = format.children.findIndex((child) => !order.includes(child.name) || order.indexOf(child.name) > place);
  format.children.splice(behind < 0 ? format.children.length : behind, 0, empty(name, attributes));
  format.isEmpty = false;
}

/** Runs of a paragraph with their parents, without deleted text. */
function* runsWithParents(parent) {
  for (const child of parent.children) {
    if (child.name === "w:r") yield { run: child, parent };
    else if (holders.has(child.name)) yield* runsWithParents(child);
  }
}

const runsOf = (paragraph) => [...runsWithParents(paragraph)].map(({ run }) => run);

const letterOf = (node) => {
  if (node.name === "w:t") return unescapeXml(node.children.map((child) => child.raw ?? "").join(""));
  if (node.name === "w:tab") return "\t";
  if (node.name === "w:br" || node.name === "w:cr") return "\n";
  if (node.name === "w:noBreakHyphen") return "\u2011";
  return "";
};

const piecesOf = (paragraph) =>
  [...runsWithParents(paragraph)].map(({ run, parent }) => ({ run, parent, text: run.children.map(letterOf).join("") }));

/** The text of a paragraph, as a reader sees it with all changes accepted. */
export const textOf = (paragraph) =>
  piecesOf(paragraph)
    .map(({ text }) => text)
    .join("");

export const styleOf = (paragraph) => attributeOf(childOf(childOf(paragraph, "w:pPr") ?? element(""), "w:pStyle"), "w:val");

/** Splits the run in which a place of the text lies, so that a run begins there. */
function splitAt(paragraph, place) {
  let at = 0;
  for (const { run, parent, text } of piecesOf(paragraph)) {
    const inside = place - at;
    at += text.length;
    if (inside <= 0 || inside >= text.length) continue;
    const [first, second] = [[], []];
    let passed = 0;
    for (const child of run.children) {
      const letters = letterOf(child);
      if (child.name === "w:rPr") first.push(child);
      else if (passed + letters.length <= inside) first.push(child);
      else if (passed >= inside) second.push(child);
      else {
        first.push(textNode(letters.slice(0, inside - passed)));
        second.push(textNode(letters.slice(inside - passed)));
      }
      passed += letters.length;
    }
    const format = childOf(run, "w:rPr");
    const rest = { ...element("w:r", run.attributes, [...(format ? [copyOf(format)] : []), ...second]) };
    run.children = first;
    parent.children.splice(parent.children.indexOf(run) + 1, 0, rest);
    return;
  }
}

const copyOf = (node) => parseXml(writeXml(node)).children[0];
const textNode = (text, name = "w:t") => element(name, ' xml:space="preserve"', [{ raw: escapeXml(text) }]);

/** A run with a text; line breaks and tabs are elements of their own. */
function runWith(format, text) {
  const parts = text.split(/(\r?\n|\t)/).filter((part) => part !== "");
  const children = parts.map((part) => (part === "\t" ? empty("w:tab") : /^\r?\n$/.test(part) ? empty("w:br") : textNode(part)));
  return element("w:r", "", [...(format ? [copyOf(format)] : []), ...children]);
}

function deleted(run) {
  const children = run.children.map((child) =>
    child.name === "w:t" ? { ...child, name: "w:delText", attributes: ' xml:space="preserve"' } : child,
  );
  return { ...run, children };
}
