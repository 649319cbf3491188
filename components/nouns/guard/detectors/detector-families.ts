import type { GuardDetector } from "@/contracts/guard/guard";

/** Headings for the first part of detector ids. */
const headings: Record<string, string> = {
  floor: "Always denied",
  workspace: "Files and folders",
  file: "Files and folders",
  credential: "Secrets",
  shell: "Shell commands",
  sql: "Databases",
  network: "Network",
  mcp: "Arguments of MCP tools",
  text: "Hidden text",
};

export type DetectorFamily = { heading: string; detectors: readonly GuardDetector[] };

/** Groups the detectors that match every word of a search, in their order. */
export function toDetectorFamilies(detectors: readonly GuardDetector[], search: string): DetectorFamily[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = detectors.filter(({ id, title, explanation, fix }) => {
    const text = `${id} ${title} ${explanation} ${fix}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const families = Map.groupBy(shown, ({ id }) => headings[id.split(".")[0] ?? ""] ?? "Other");
  return [...families].map(([heading, found]) => ({ heading, detectors: found }));
}
