import { parseAst } from "vitest/node";

/** Names of fields that an agent, a server or a file can fill. */
const written = new RegExp(
  `^(${[
    ..."name title description reason comment note message summary excerpt task text content prompt answer question goal".split(" "),
    ..."path file fileName filename detail sentence subject target requestedName progress agent ruleName lead people sender".split(" "),
    ..."filterSender askedBy person rawName raw seen pattern directContent url toolNotes who neededScope error".split(" "),
  ].join("|")}|\\w+(Reason|Error))$`,
);

/** Attributes and members that are drawn as text by Mantine and the browser. */
const drawnAttributes = /^(label|title|description|placeholder|legend|heading)$/;
const revealing = new Set(["RevealedText", "MarkedText", "MarkedSentence", "CodeText"]);
const spelling = new Set(["revealHidden", "spellHidden"]);

type Node = { type: string; start: number; end: number } & Record<string, unknown>;
export type RawText = { line: number; text: string };

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value : [value]).filter(isNode);
const nameOf = (value: unknown): string => {
  if (!isNode(value)) return "";
  // Of an element of a list, the list's name.
  if (value.type === "MemberExpression" && value.computed === true) return nameOf(value.object);
  if (value.type === "JSXMemberExpression" || value.type === "MemberExpression") return nameOf(value.property);
  return typeof value.name === "string" ? value.name : "";
};

/**
 * Texts that a component draws with hidden characters in them: children and table cells without `RevealedText`, and strings of
 * labels, titles, options and notices without `spellHidden`. Names for screen readers are left out, because nobody sees them.
 */
export async function findRawText(source: string, lang: "ts" | "tsx"): Promise<RawText[]> {
  const program = (await parseAst(source, { lang })) as unknown as Node;
  const foreign = new Set(
    nodesIn(program.body)
      .filter(({ type, source: from }) => type === "ImportDeclaration" && isNode(from) && String(from.value).startsWith("@mantine/"))
      .flatMap(({ specifiers }) => nodesIn(specifiers).map(({ local }) => nameOf(local))),
  );
  const found: RawText[] = [];
  const add = (node: Node) =>
    found.push({ line: source.slice(0, node.start).split("\n").length, text: source.slice(node.start, node.end) });
  const visit = (node: Node): void => {
    if (node.type === "JSXElement") {
      const opening = node.openingElement as Node;
      const tag = nameOf(opening.name);
      const isForeign = /^[a-z]/.test(tag) || foreign.has(tag) || foreign.has(tag.split(".")[0] ?? "");
      for (const attribute of nodesIn(opening.attributes)) {
        const value = attribute.value;
        const isDrawn = isForeign && drawnAttributes.test(nameOf(attribute.name));
        if (isDrawn && isNode(value) && value.type === "JSXExpressionContainer") for (const leaf of rawLeaves(value.expression)) add(leaf);
      }
      if (!revealing.has(tag)) addChildren(node);
    }
    if (node.type === "JSXFragment") addChildren(node);
    if (node.type === "Property" && nameOf(node.key) === "label") for (const leaf of rawLeaves(node.value)) add(leaf);
    if (node.type === "Property" && nameOf(node.key) === "cell" && isNode(node.value)) {
      for (const leaf of rawLeaves(node.value.body)) add(leaf);
    }
    if (node.type === "CallExpression" && isNotification(node)) {
      for (const { properties } of nodesIn(node.arguments))
        for (const { value } of nodesIn(properties)) for (const leaf of rawLeaves(value)) add(leaf);
    }
    for (const value of Object.values(node)) for (const inner of nodesIn(value)) visit(inner);
  };
  const addChildren = ({ children }: Node) => {
    for (const child of nodesIn(children))
      if (child.type === "JSXExpressionContainer") for (const leaf of rawLeaves(child.expression)) add(leaf);
  };
  visit(program);
  return found;
}

const isNotification = ({ callee }: Node): boolean =>
  isNode(callee) && callee.type === "MemberExpression" && nameOf(callee.object) === "notifications" && nameOf(callee) === "show";

/** The expressions that become text: the ends of conditions, with written fields in them. */
function rawLeaves(value: unknown): Node[] {
  if (!isNode(value)) return [];
  switch (value.type) {
    case "ConditionalExpression":
      return [value.consequent, value.alternate].flatMap(rawLeaves);
    case "LogicalExpression":
      return [...(value.operator === "&&" ? [] : [value.left]), value.right].flatMap(rawLeaves);
    case "ParenthesizedExpression":
    case "TSNonNullExpression":
    case "ChainExpression":
      return rawLeaves(value.expression);
    case "Identifier":
    case "MemberExpression":
      return written.test(nameOf(value)) ? [value] : [];
    case "TemplateLiteral":
      return nodesIn(value.expressions).some((each) => rawLeaves(each).length > 0) ? [value] : [];
    case "BinaryExpression":
      return value.operator === "+" && [value.left, value.right].some((each) => rawLeaves(each).length > 0) ? [value] : [];
    case "CallExpression": {
      const callee = value.callee as Node;
      if (spelling.has(nameOf(callee))) return [];
      // A method of a text, such as `name.slice(0, 9)`.
      const isOfText = callee.type === "MemberExpression" && rawLeaves(callee.object).length > 0;
      return isOfText && !/^(map|flatMap|filter|includes|startsWith|endsWith|some|every)$/.test(nameOf(callee)) ? [value] : [];
    }
    default:
      return [];
  }
}
