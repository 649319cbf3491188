import type { MathNode } from "./math-node.ts";

const superscripts = "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻−⁻=⁼(⁽)⁾nⁿiⁱ";
const subscripts = "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋−₋=₌(₍)₎aₐeₑiᵢjⱼoₒxₓnₙmₘkₖ";
const relations = /^[=≠<>≤≥≈≡∼→←↔⇒⇐⇔∈∉⊂⊆⊃⊇∪∩±∓×÷+−∧∨≪≫∝⟶⟵⟹]$/u;
/** Signs that TeX builds for spacing and grouping only. */
const invisible = /[\u2061-\u2064\u200b]/g;

/** Writes a formula in one line of plain text: x², (a+b)/c, √(x). */
export function lineOf(node: MathNode): string {
  const line = written(node)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/(?<=[([{]) | (?=[)\]},;])/g, "");
  // A minus with nothing in front of it is a sign, and no operator.
  return line.trim().replaceAll(/(?<=^|[([{,=] ?)− /g, "−");
}

function written(node: MathNode): string {
  const { kind, children } = node;
  const [first, second, third] = children;
  switch (kind) {
    case "mo": {
      const sign = node.text.replaceAll(invisible, "");
      if (sign === "-") return " − ";
      return relations.test(sign) ? ` ${sign} ` : sign === "," ? ", " : sign;
    }
    case "mi":
      return node.text.replaceAll(invisible, "").replace(/^(\p{L}{2,})$/u, " $1 ");
    case "mn":
    case "mtext":
    case "ms":
      return node.text.replaceAll("\u00a0", " ");
    case "mspace":
      return " ";
    case "mfrac":
      return `${grouped(first)}/${grouped(second)}`;
    case "msqrt":
      return `√${grouped({ ...node, kind: "mrow" })}`;
    case "mroot":
      return `${small(second, superscripts, "")}√${grouped(first)}`;
    case "msup":
      return `${base(first)}${small(second, superscripts, "^")}`;
    case "msub":
      return `${base(first)}${small(second, subscripts, "_")}`;
    case "msubsup":
    case "munderover":
      return `${base(first)}${small(second, subscripts, "_")}${small(third, superscripts, "^")}${kind === "munderover" ? " " : ""}`;
    case "munder":
      return `${base(first)}${small(second, subscripts, "_")} `;
    case "mover":
      return accented(first, second);
    case "mtable":
      return children.map((row) => row.children.map(lineOf).join(", ")).join("; ");
    case "mphantom":
      return "";
    default:
      return children.map(written).join("");
  }
}

const base = (node: MathNode | undefined): string => (node ? written(node).trim() : "");

/** Sets an expression of several parts in brackets. */
function grouped(node: MathNode | undefined): string {
  const text = node ? lineOf(node) : "";
  return [...text].length <= 1 || /^√?[\p{L}\p{N}.]+$/u.test(text) || /^\([^()]*\)$/.test(text) ? text : `(${text})`;
}

function small(node: MathNode | undefined, signs: string, mark: string): string {
  const text = node ? lineOf(node) : "";
  if (text === "′" || text === "″" || text === "°" || text === "") return text;
  const packed = converted(text.replaceAll(" ", ""), signs);
  if (packed !== null) return packed;
  return `${mark}${[...text].length === 1 ? text : `(${text})`}`;
}

/** Writes a text in the small signs of Unicode; null when one of its signs has none. */
export const raised = (text: string): string | null => converted(text, superscripts);
export const lowered = (text: string): string | null => converted(text, subscripts);

function converted(text: string, signs: string): string | null {
  const list = [...signs];
  const found = [...text].map((sign) => {
    const at = list.indexOf(sign);
    return at >= 0 && at % 2 === 0 ? list[at + 1] : undefined;
  });
  return found.every((sign) => sign !== undefined) ? found.join("") : null;
}

const accents: Readonly<Record<string, string>> = {
  "^": "\u0302",
  "~": "\u0303",
  "→": "\u20d7",
  "¯": "\u0304",
  "―": "\u0304",
  "˙": "\u0307",
  "¨": "\u0308",
};

function accented(first: MathNode | undefined, second: MathNode | undefined): string {
  const accent = second ? accents[lineOf(second).replace("‾", "¯")] : undefined;
  const text = base(first);
  if (accent && [...text].length === 1) return `${text}${accent}`;
  return `${text}${small(second, superscripts, "^")}`;
}
