import type { ZipContainer } from "../zip-container.ts";
import { childOf, descendants, readTree, textOfAll } from "./xml-tree.ts";

const maxDepth = 8;

/** Writes the points of a SmartArt diagram as a list, nested as they hang together. */
export async function readDiagram(zip: ZipContainer, part: string): Promise<string[]> {
  const root = await readTree(zip, part);
  const texts = new Map<string, string>();
  let top = "";
  for (const point of descendants(root, "dgm:pt")) {
    const id = point.attributes.modelId ?? "";
    if (point.attributes.type === "doc") top = id;
    const paragraphs = descendants(childOf(point, "dgm:t"), "a:p").map((paragraph) => textOfAll(paragraph, "a:t"));
    const isContent = ["node", "asst", undefined].includes(point.attributes.type);
    if (isContent) texts.set(id, paragraphs.join(" ").replaceAll(/\s+/g, " ").trim());
  }
  const children = new Map<string, { to: string; order: number }[]>();
  for (const { attributes } of descendants(root, "dgm:cxn")) {
    if (attributes.type && attributes.type !== "parOf") continue;
    const from = attributes.srcId ?? "";
    children.set(from, [...(children.get(from) ?? []), { to: attributes.destId ?? "", order: Number(attributes.srcOrd) || 0 }]);
  }
  const lines = ["[Diagram]"];
  const seen = new Set<string>();
  const write = (id: string, depth: number) => {
    if (seen.has(id)) return;
    seen.add(id);
    const text = texts.get(id);
    if (text) lines.push(`${"  ".repeat(Math.min(maxDepth, depth))}- ${text}`);
    for (const { to } of (children.get(id) ?? []).sort((a, b) => a.order - b.order)) write(to, depth + 1);
  };
  write(top, -1);
  for (const id of texts.keys()) write(id, 0);
  return lines;
}
