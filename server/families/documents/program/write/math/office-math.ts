import type { MathNode } from "./math-node.ts";

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const invisible = /[\u2061-\u2064\u200b]/g;
const largeSigns = /^[∑∏∐∫∬∭∮⋂⋃⋀⋁⨀⨁⨂⨄⨆]$/u;

/** Names of styles in OMML, by the variant of MathML. */
const scripts: Readonly<Record<string, string>> = {
  "double-struck": "double-struck",
  script: "script",
  fraktur: "fraktur",
  monospace: "monospace",
  "sans-serif": "sans-serif",
};

/** Writes a formula as OMML, the form of Word and PowerPoint; `isDisplay` sets it on a line of its own. */
export function officeMath(root: MathNode, isDisplay: boolean): string {
  const names =
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const inner = row(root.children);
  return isDisplay ? `<m:oMathPara ${names}><m:oMath>${inner}</m:oMath></m:oMathPara>` : `<m:oMath ${names}>${inner}</m:oMath>`;
}

/** Writes siblings. A large operator takes the part behind it as its operand, and fences take the part between them. */
function row(nodes: readonly MathNode[]): string {
  let xml = "";
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at];
    if (!node) continue;
    const large = largeOperator(node);
    if (!large) {
      xml += element(node);
      continue;
    }
    // Up to the next relation or sum, as the eye reads it.
    let end = at + 1;
    while (end < nodes.length && !isBoundary(nodes[end])) end += 1;
    const operand = row(nodes.slice(at + 1, end));
    xml += `<m:nary><m:naryPr><m:chr m:val="${large.sign}"/><m:limLoc m:val="${large.isBeside ? "subSup" : "undOvr"}"/>${large.under ? "" : '<m:subHide m:val="1"/>'}${large.over ? "" : '<m:supHide m:val="1"/>'}</m:naryPr>${part("sub", large.under)}${part("sup", large.over)}<m:e>${operand}</m:e></m:nary>`;
    at = end - 1;
  }
  return xml;
}

const isBoundary = (node: MathNode | undefined): boolean => node?.kind === "mo" && /^[=≠<>≤≥≈≡∼→⇒+\-−,;]$/u.test(node.text);

type LargeOperator = { sign: string; under?: MathNode | undefined; over?: MathNode | undefined; isBeside: boolean };

function largeOperator(node: MathNode): LargeOperator | null {
  const [first, second, third] = node.children;
  if (node.kind === "mo" && largeSigns.test(node.text)) return { sign: node.text, isBeside: true };
  if (first?.kind === "TeXAtom" && first.children.length === 1 && first.children[0])
    return largeOperator({ ...node, children: [first.children[0], ...node.children.slice(1)] });
  if (first?.kind !== "mo" || !largeSigns.test(first.text)) return null;
  const sign = first.text;
  switch (node.kind) {
    case "msub":
      return { sign, under: second, isBeside: true };
    case "msup":
      return { sign, over: second, isBeside: true };
    case "msubsup":
      return { sign, under: second, over: third, isBeside: true };
    case "munder":
      return { sign, under: second, isBeside: false };
    case "mover":
      return { sign, over: second, isBeside: false };
    case "munderover":
      return { sign, under: second, over: third, isBeside: false };
    default:
      return null;
  }
}

const part = (name: string, node: MathNode | undefined): string => `<m:${name}>${node ? element(node) : ""}</m:${name}>`;

function element(node: MathNode): string {
  const { kind, children } = node;
  const [first, second, third] = children;
  switch (kind) {
    case "mi":
    case "mn":
    case "mo":
    case "ms":
    case "mtext":
      return leaf(node);
    case "mspace":
      return Number.parseFloat(node.attributes.width ?? "0") > 0 ? text(" ", "p") : "";
    case "mfrac": {
      const isBare = /^0(?:\D|$)/.test(node.attributes.linethickness ?? "1");
      return `<m:f>${isBare ? '<m:fPr><m:type m:val="noBar"/></m:fPr>' : ""}${part("num", first)}${part("den", second)}</m:f>`;
    }
    case "msqrt":
      return `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${row(children)}</m:e></m:rad>`;
    case "mroot":
      return `<m:rad>${part("deg", second)}${part("e", first)}</m:rad>`;
    case "msup":
      return `<m:sSup>${part("e", first)}${part("sup", second)}</m:sSup>`;
    case "msub":
      return `<m:sSub>${part("e", first)}${part("sub", second)}</m:sSub>`;
    case "msubsup":
      return `<m:sSubSup>${part("e", first)}${part("sub", second)}${part("sup", third)}</m:sSubSup>`;
    case "munder":
      return isBar(second) ? bar("bot", first) : limit("limLow", first, second);
    case "mover":
      return over(node);
    case "munderover":
      return `<m:limUpp><m:e>${limit("limLow", first, second)}</m:e>${part("lim", third)}</m:limUpp>`;
    case "mtable":
      return matrix(node);
    case "mphantom":
      return `<m:phant><m:phantPr><m:show m:val="0"/></m:phantPr><m:e>${row(children)}</m:e></m:phant>`;
    case "menclose":
      return `<m:borderBox><m:borderBoxPr>${enclosed(node.attributes.notation ?? "")}</m:borderBoxPr><m:e>${row(children)}</m:e></m:borderBox>`;
    default:
      return largeOperator(node) ? row([node]) : (fenced(children) ?? row(children));
  }
}

const isBar = (node: MathNode | undefined): boolean => ["_", "¯", "―", "‾", "\u0332", "\u0305"].includes(node?.text ?? "");
const bar = (place: string, node: MathNode | undefined): string =>
  `<m:bar><m:barPr><m:pos m:val="${place}"/></m:barPr>${part("e", node)}</m:bar>`;
const limit = (name: string, first: MathNode | undefined, second: MathNode | undefined): string =>
  `<m:${name}>${part("e", first)}${part("lim", second)}</m:${name}>`;

/** Accents in the form that OMML wants: as combining signs. */
const combining: Readonly<Record<string, string>> = {
  "^": "\u0302",
  "˜": "\u0303",
  "~": "\u0303",
  "→": "\u20d7",
  "˙": "\u0307",
  "¨": "\u0308",
  ˇ: "\u030c",
  "˘": "\u0306",
  "´": "\u0301",
  "`": "\u0300",
};

function over({ children: [first, second] }: MathNode): string {
  const sign = second?.text ?? "";
  if (isBar(second)) return bar("top", first);
  if (sign === "⏞")
    return `<m:groupChr><m:groupChrPr><m:chr m:val="⏞"/><m:pos m:val="top"/><m:vertJc m:val="bot"/></m:groupChrPr>${part("e", first)}</m:groupChr>`;
  const accent = combining[sign];
  return accent ? `<m:acc><m:accPr><m:chr m:val="${accent}"/></m:accPr>${part("e", first)}</m:acc>` : limit("limUpp", first, second);
}

/** A row that begins and ends with fences grows with its content. */
function fenced(nodes: readonly MathNode[]): string | null {
  const [first, last] = [nodes[0], nodes.at(-1)];
  const isFence = (node: MathNode | undefined, name: string) => node?.kind === "mo" && node.attributes.fence === name;
  if (nodes.length < 2 || !isFence(first, "open") || !isFence(last, "close")) return null;
  const sign = (node: MathNode | undefined) => escaped(node?.text ?? "").replaceAll('"', "&quot;");
  return `<m:d><m:dPr><m:begChr m:val="${sign(first)}"/><m:endChr m:val="${sign(last)}"/></m:dPr><m:e>${row(nodes.slice(1, -1))}</m:e></m:d>`;
}

function matrix({ children, attributes }: MathNode): string {
  const count = Math.max(1, ...children.map((line) => line.children.length));
  const sides = (attributes.columnalign ?? "center").split(/\s+/);
  const columns = Array.from({ length: count }, (_, column) => {
    const side = sides[column] ?? sides.at(-1) ?? "center";
    return `<m:mc><m:mcPr><m:count m:val="1"/><m:mcJc m:val="${side}"/></m:mcPr></m:mc>`;
  });
  const rows = children.map(
    (line) =>
      `<m:mr>${Array.from({ length: count }, (_, column) => `<m:e>${row(line.children[column]?.children ?? [])}</m:e>`).join("")}</m:mr>`,
  );
  return `<m:m><m:mPr><m:mcs>${columns.join("")}</m:mcs></m:mPr>${rows.join("")}</m:m>`;
}

const hidden = ["Top", "Bot", "Left", "Right"].map((side) => `<m:hide${side} m:val="1"/>`).join("");
function enclosed(notation: string): string {
  if (/box/.test(notation)) return "";
  const strikes = [
    /updiagonal/.test(notation) ? '<m:strikeBLTR m:val="1"/>' : "",
    /downdiagonal/.test(notation) ? '<m:strikeTLBR m:val="1"/>' : "",
  ];
  return `${hidden}${strikes.join("")}`;
}

function leaf(node: MathNode): string {
  const content = node.text.replaceAll(invisible, "").replace(/^-$/, node.kind === "mo" ? "−" : "-");
  if (content === "") return "";
  const variant = node.attributes.mathvariant ?? "";
  const script = Object.entries(scripts).find(([name]) => variant.includes(name))?.[1];
  const isUpright = node.kind === "mtext" || variant === "normal" || (node.kind === "mi" && [...content].length > 1);
  const style = variant.includes("bold") ? (variant.includes("italic") ? "bi" : "b") : isUpright ? "p" : null;
  return text(content, style, script);
}

function text(content: string, style: string | null = null, script?: string): string {
  const properties = `${script ? `<m:scr m:val="${script}"/>` : ""}${style ? `<m:sty m:val="${style}"/>` : ""}`;
  const font = '<w:rPr><w:rFonts w:ascii="Cambria Math" w:hAnsi="Cambria Math"/></w:rPr>';
  return `<m:r>${properties ? `<m:rPr>${properties}</m:rPr>` : ""}${font}<m:t xml:space="preserve">${escaped(content)}</m:t></m:r>`;
}
