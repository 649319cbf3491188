import { descendants, readTree, textOfAll, type XmlNode } from "../office/xml-tree.ts";
import { readRelations } from "../xml-events.ts";
import type { ZipContainer } from "../zip-container.ts";

/** Reads the names of those who comment, by their id. */
export async function commentAuthors(zip: ZipContainer, presentation: string): Promise<Map<string, string>> {
  const authors = new Map<string, string>();
  for (const { target, type } of (await readRelations(zip, presentation)).values()) {
    if ((type !== "commentAuthors" && type !== "authors") || !zip.has(target)) continue;
    const root = await readTree(zip, target);
    for (const { attributes } of [...descendants(root, "p:cmAuthor"), ...descendants(root, "p188:author")]) {
      authors.set(attributes.id ?? "", attributes.name ?? "");
    }
  }
  return authors;
}

/** Writes the comments of a slide, in the older and the newer form, each answer after its comment. */
export async function commentLines(zip: ZipContainer, part: string, authors: ReadonlyMap<string, string>): Promise<string[]> {
  const root = await readTree(zip, part);
  const line = (node: XmlNode, text: string, prefix: string) => {
    const about = [authors.get(node.attributes.authorId ?? ""), (node.attributes.dt ?? node.attributes.created)?.slice(0, 10)];
    const known = about.filter((piece) => piece).join(", ");
    return `${prefix}[comment]${known ? ` ${known}` : ""}: ${text.replaceAll(/\s+/g, " ").trim()}`;
  };
  const older = descendants(root, "p:cm").map((node) => line(node, textOfAll(node, "p:text"), ""));
  const newer = descendants(root, "p188:cm").flatMap((node) => {
    const own = node.children.find(({ name }) => name === "p188:txBody");
    const replies = descendants(node, "p188:reply").map((reply) => line(reply, textOfAll(reply, "a:t"), "  "));
    return [line(node, textOfAll(own, "a:t"), ""), ...replies];
  });
  return [...older, ...newer];
}
