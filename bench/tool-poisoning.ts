import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { inspectDefinition } from "@/server/guard/definitions/inspect-definition";
import { indexNeighbours } from "@/server/guard/definitions/inspect-neighbours";

type Tool = { name: string; title?: string; description?: string; inputSchema?: unknown };
type Entry = {
  id: string;
  label: "malicious" | "benign";
  category: string;
  tool: Tool;
  server: string;
  peers?: { server: string; tool: Tool }[];
};

/** Scores the detector of poisoned definitions on a labelled corpus: `node … bench/tool-poisoning.ts corpus.json`. */
const { positionals } = parseArgs({ allowPositionals: true });
const [file] = positionals;
if (!file) throw new Error("Name a corpus: a JSON file with `entries`, each with `label`, `tool` and `peers`.");
const { entries } = JSON.parse(readFileSync(file, "utf8")) as { entries: Entry[] };
const flagged = (entry: Entry) => {
  const { tool, peers = [] } = entry;
  const neighbours = indexNeighbours(
    peers.map((peer) => ({
      name: `${peer.server}__${peer.tool.name}`,
      rawName: peer.tool.name,
      description: peer.tool.description ?? "",
      source: peer.server,
    })),
  );
  const findings = [
    ...inspectDefinition(tool),
    ...neighbours.inspect({ rawName: tool.name, description: tool.description ?? "" }, new Set([tool.name])),
  ];
  return findings.some(({ severity }) => severity !== "low" && severity !== "info");
};
const count = (label: Entry["label"]) => {
  const all = entries.filter((entry) => entry.label === label);
  const found = all.filter(flagged);
  for (const { id, category } of all.filter((entry) => flagged(entry) !== (label === "malicious")))
    console.log(`${label} ${category} ${id}: wrong`);
  return { all: all.length, found: found.length };
};
const malicious = count("malicious");
const benign = count("benign");
if (malicious.all + benign.all === 0) throw new Error(`${file} holds no entries.`);
console.log(
  `recall ${(malicious.found / malicious.all).toFixed(2)} of ${malicious.all}, false positives ${(benign.found / benign.all).toFixed(2)} of ${benign.all}`,
);
