import { readFileSync } from "node:fs";
import { z } from "zod";
import { inspectDefinition } from "@/server/tools/definitions/inspect-definition";
import { indexNeighbours } from "@/server/tools/definitions/inspect-neighbours";
import type { Line } from "./report";

const Tool = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().default(""),
  inputSchema: z.unknown().optional(),
});
const Entry = z.object({
  id: z.string(),
  label: z.enum(["malicious", "benign"]),
  category: z.string(),
  tool: Tool,
  peers: z.array(z.object({ server: z.string(), tool: Tool })).default([]),
});
type Entry = z.infer<typeof Entry>;
const Corpus = z.object({ entries: z.array(Entry).min(1) });

/** How many poisoned definitions the detector recognises, and how many harmless ones it takes for poisoned. */
export async function toolPoisoning(): Promise<Line[]> {
  const file = process.env.TOOL_POISONING_DATA;
  if (!file) throw new Error("Set TOOL_POISONING_DATA to the labelled corpus that bench/README.md names");
  const { entries } = Corpus.parse(JSON.parse(readFileSync(file, "utf8")));
  const malicious = shareFlagged(entries, "malicious");
  const benign = shareFlagged(entries, "benign");
  return [
    { measured: "poisoned definitions, recall", ...malicious, target: ">= 0.9", isMet: malicious.share >= 0.9 },
    { measured: "harmless definitions taken for poisoned", ...benign, target: "<= 0.05", isMet: benign.share <= 0.05 },
  ];
}

function shareFlagged(entries: readonly Entry[], label: Entry["label"]): { ours: string; share: number } {
  const all = entries.filter((entry) => entry.label === label);
  const flagged = all.filter(isFlagged);
  for (const entry of all) {
    if (isFlagged(entry) !== (label === "malicious")) console.error(`  wrong: ${label} ${entry.category} ${entry.id}`);
  }
  const share = all.length === 0 ? 0 : flagged.length / all.length;
  return { ours: `${share.toFixed(2)} of ${all.length}`, share };
}

function isFlagged({ tool, peers }: Entry): boolean {
  const neighbours = indexNeighbours(
    peers.map(({ server, tool: { name, description } }) => ({ name: `${server}__${name}`, rawName: name, description, source: server })),
  );
  const findings = [
    ...inspectDefinition(tool),
    ...neighbours.inspect({ rawName: tool.name, description: tool.description }, new Set([tool.name])),
  ];
  return findings.some(({ severity }) => severity !== "low" && severity !== "info");
}
