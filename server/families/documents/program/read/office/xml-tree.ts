import { DocumentError } from "../../document-error.ts";
import { type Attributes, readXml } from "../xml-events.ts";
import type { ZipContainer } from "../zip-container.ts";

/** An element with its children, for the small parts that are easier to understand whole. */
export type XmlNode = { name: string; attributes: Attributes; children: XmlNode[]; text: string };

const maxNodes = 200_000;

/** Builds a tree from XML events. */
export class TreeBuilder {
  readonly root: XmlNode = { name: "", attributes: {}, children: [], text: "" };
  readonly #path: XmlNode[] = [this.root];
  #nodes = 0;

  open(name: string, attributes: Attributes): void {
    this.#nodes += 1;
    if (this.#nodes > maxNodes) throw new DocumentError("too_large", `A chart, diagram or equation has more than ${maxNodes} elements.`);
    const node = { name, attributes, children: [], text: "" };
    this.#path.at(-1)?.children.push(node);
    this.#path.push(node);
  }

  /** Returns whether the tree is complete. */
  close(): boolean {
    this.#path.pop();
    return this.#path.length === 1;
  }

  text(text: string): void {
    const node = this.#path.at(-1);
    if (node) node.text += text;
  }
}

/** Reads a small part whole. */
export async function readTree(zip: ZipContainer, part: string): Promise<XmlNode> {
  const builder = new TreeBuilder();
  await readXml(zip, part, {
    open: (name, attributes) => builder.open(name, attributes),
    close: () => {
      builder.close();
    },
    text: (text) => builder.text(text),
  });
  return builder.root;
}

export const childOf = (node: XmlNode | undefined, name: string): XmlNode | undefined =>
  node?.children.find((child) => child.name === name);
export const childrenOf = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? [];

/** Finds all elements of a name at any depth, in their order. */
export function descendants(node: XmlNode | undefined, name: string): XmlNode[] {
  if (!node) return [];
  return node.children.flatMap((child) => (child.name === name ? [child] : descendants(child, name)));
}

/** Joins the text of the elements of a name, one piece a paragraph. */
export function textOfAll(node: XmlNode | undefined, name: string): string {
  return descendants(node, name)
    .map(({ text }) => text)
    .join("");
}
