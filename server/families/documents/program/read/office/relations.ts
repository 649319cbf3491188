import { readXml } from "../xml-events.ts";
import type { ZipContainer } from "../zip-container.ts";

/** Reads the addresses outside of the document that a part's relationships name, by id. Nothing of them is loaded. */
export async function readAddresses(zip: ZipContainer, part: string): Promise<Map<string, string>> {
  const folder = part.slice(0, part.lastIndexOf("/") + 1);
  const file = `${folder}_rels/${part.slice(folder.length)}.rels`;
  const addresses = new Map<string, string>();
  if (!zip.has(file)) return addresses;
  await readXml(zip, file, {
    open: (name, { Id, Target, TargetMode }) => {
      if (name.endsWith("Relationship") && Id && Target && TargetMode === "External") addresses.set(Id, Target);
    },
  });
  return addresses;
}

/** Writes a link as Markdown; a text that is the address stays as it is. */
export function linked(text: string, address: string | undefined): string {
  const target = address?.trim().replaceAll(/[\s()<>]/g, (sign) => encodeURIComponent(sign).replace("(", "%28").replace(")", "%29"));
  if (!target || text.trim() === "" || text.trim() === target || `mailto:${text.trim()}` === target) return text;
  return `[${text}](${target})`;
}
