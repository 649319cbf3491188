const token = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(\/?)([A-Za-z_][\w:.-]*)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>/g;

/** Parses XML into nodes that are written again byte for byte where nothing was changed. */
export function parseXml(source) {
  if (/<!DOCTYPE/i.test(source)) throw new Error("The document declares its own entities, which no Word document does.");
  const root = element("", "");
  const open = [root];
  let last = 0;
  const addText = (text) => {
    if (text !== "") open.at(-1).children.push({ raw: text });
  };
  for (const match of source.matchAll(token)) {
    const [whole, closing, name, attributes, selfClosed] = match;
    addText(source.slice(last, match.index));
    last = match.index + whole.length;
    if (name === undefined) addText(whole);
    else if (closing) {
      if (open.length < 2 || open.at(-1).name !== name) throw new Error(`The document is damaged: </${name}> closes nothing.`);
      open.pop();
    } else {
      const node = element(name, attributes);
      open.at(-1).children.push(node);
      if (selfClosed) node.isEmpty = true;
      else open.push(node);
    }
  }
  addText(source.slice(last));
  if (open.length !== 1) throw new Error("The document is damaged: its text ends too early.");
  return root;
}

export const element = (name, attributes = "", children = []) => ({ name, attributes, children, isEmpty: false });

export function writeXml(node) {
  if (node.raw !== undefined) return node.raw;
  const inner = node.children.map(writeXml).join("");
  if (node.name === "") return inner;
  return node.isEmpty && inner === "" ? `<${node.name}${node.attributes}/>` : `<${node.name}${node.attributes}>${inner}</${node.name}>`;
}

/** Yields nodes of a name in the order of the document. */
export function* descendants(node, name) {
  for (const child of node.children ?? []) {
    if (child.name === name) yield child;
    yield* descendants(child, name);
  }
}

export const childOf = (node, name) => node.children.find((child) => child.name === name);

export function attributeOf(node, name) {
  const [, value] = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(node?.attributes ?? "") ?? [];
  return value === undefined ? null : unescapeXml(value);
}

const entities = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export const unescapeXml = (text) =>
  text.replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (whole, hex, decimal, name) => {
    const code = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : null;
    return code === null ? (entities[name] ?? whole) : String.fromCodePoint(code);
  });

/** Control characters, which XML cannot hold. */
const controls = /(?![\t\n\r])\p{Cc}/gu;

export const escapeXml = (text) =>
  text.replace(controls, "").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
