import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { provideFamilies } from "../server/families/provide-families";
import { disclose } from "../server/tools/disclosure/disclosure";
import { presentListing } from "../server/tools/disclosure/present-listing";
import { listScope } from "../server/tools/list-conversation-tools";
import type { RegisteredTool } from "../server/tools/registered-tool";
import { findTools } from "../server/tools/search/search-tools";
import { type Line, megabytes, milliseconds } from "./report";
import { scaled } from "./scale";
import { percentile } from "./statistics";
import { type DataSet, liveMcpBench, mcpproxy, metaTool, registry, sealTools } from "./tools/data-sets";
import { registered, scopeOf } from "./tools/registered";

/** How often tool_search finds the right tools, without a model, and what the listing and the search cost with many tools. */
export async function toolSearch(): Promise<Line[]> {
  provideFamilies();
  return [
    await recall("mcpproxy, Recall@5", mcpproxy(), 5, oneSearch, 0.85),
    await recall("Seal-Tools, 4,076 tools, Recall@5", sealTools(), 5, oneSearch, 0.92),
    await recall("MetaTool, Recall@5", metaTool(), 5, oneSearch, 0.75),
    await recall("registry, 755 tools, sentences of our own, Recall@5", registry(), 5, oneSearch, 0.85),
    await recall("LiveMCPBench, 527 tools, Recall@10, one search", liveMcpBench(), 10, oneSearch),
    await recall("LiveMCPBench, 527 tools, Recall@10, at most three searches", liveMcpBench(), 10, threeSearches, 0.6),
    ...listingLines(),
    ...(await sizeLines()),
  ];
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const oneSearch = (text: string): string[] => [text];

/** A task in up to three searches: its sentences, or its clauses when it is one sentence, in three equal parts. */
function threeSearches(text: string): string[] {
  const sentences = text.split(/[.;!?\n]+\s/).filter((part) => part.trim().split(/\s+/).length >= 2);
  const clauses = text.split(/[.;!?\n]+\s|,|\band\b|\bthen\b/i).filter((part) => part.trim().split(/\s+/).length >= 3);
  const parts = sentences.length >= 3 ? sentences : clauses;
  if (parts.length <= 1) return [text];
  if (parts.length === 2) return [text, ...parts];
  const each = Math.ceil(parts.length / 3);
  return [0, 1, 2].map((third) => parts.slice(third * each, (third + 1) * each).join(". ")).filter(Boolean);
}

async function recall(
  measured: string,
  { tools, requests }: DataSet,
  limit: number,
  searches: (text: string) => string[],
  target?: number,
) {
  const scope = scopeOf(tools);
  let sum = 0;
  for (const { text, wanted } of requests) {
    const found = new Set<string>();
    for (const query of searches(text)) {
      for (const { name, rawName } of await findTools(measured, scope, query, limit)) found.add(name).add(rawName);
    }
    sum += wanted.filter((name) => found.has(name)).length / wanted.length;
  }
  const share = sum / requests.length;
  const ours = `${(share * 100).toFixed(1)} % of ${requests.length} requests`;
  return { measured, ours, ...(target === undefined ? {} : { target: `>= ${target * 100} %`, isMet: share >= target }) };
}

function listingLines(): Line[] {
  const { tools } = liveMcpBench();
  const { tokens } = presentListing(disclose(tools, { disclosureMode: "progressive", ticked: new Set() }, new Set()), "openai");
  const inFull = tokens.saved + tokens.directory;
  const share = tokens.saved / inFull;
  return [
    {
      measured: `tokens of the directory, ${tools.length} real tools / all in full`,
      ours: String(tokens.directory),
      anchor: String(inFull),
      ratio: tokens.directory / inFull,
      target: ">= 98 % saved",
      isMet: share >= 0.98,
    },
  ];
}

/** Ten thousand tools: the real ones, repeated under other aliases and with a word of their own. */
function manyTools(count: number): RegisteredTool[] {
  const { tools } = liveMcpBench();
  return Array.from({ length: count }, (_, at) => {
    const tool = tools[at % tools.length];
    if (!tool) throw new Error("The data set has no tools");
    const round = Math.floor(at / tools.length);
    const { rawName: name, sourceName, inputSchema, description } = tool;
    return registered({ name, source: `${sourceName}${round}`, inputSchema, description: `${description} Variant${round} of ${name}.` });
  });
}

async function sizeLines(): Promise<Line[]> {
  const tools = manyTools(scaled(10_000, 1_000));
  const scope = scopeOf(tools);
  const { requests } = liveMcpBench();
  const list = () => listScope(scope, "openai");
  const before = usedMemory();
  await findTools("size", scope, "warm up", 8);
  const memory = usedMemory() - before;
  const searches: number[] = [];
  for (let round = 0; round < 10; round++) {
    for (const { text } of requests) searches.push(await timed(() => findTools("size", scope, text.slice(0, 200), 8)));
  }
  let tokens = 0;
  const cold = await timed(async () => {
    tokens = list().tokens.directory;
  });
  const listings: number[] = [];
  for (let round = 0; round < 50; round++) listings.push(await timed(async () => list()));
  const [first] = tools;
  if (!first) throw new Error("There are no tools");
  const changed = scopeOf([{ ...first, version: 2, shownDescription: "Peels a zucchini" }, ...tools.slice(1)]);
  const change = await timed(async () => {
    const [found] = await findTools("size", changed, "zucchini", 1);
    if (found?.name !== first.name) throw new Error("A changed tool was not found");
  });
  const p99 = percentile(searches, 0.99);
  const warm = percentile(listings, 0.5);
  const of = `${tools.length} tools`;
  return [
    { measured: `tool_search, ${of}, p99`, ours: milliseconds(p99), target: "<= 5 ms", isMet: p99 <= 5 },
    { measured: `index of ${of}`, ours: megabytes(memory), target: "<= 60 MB", isMet: memory <= 60 * 1_048_576 },
    { measured: `changed tool found, ${of}`, ours: milliseconds(change), target: "<= 100 ms", isMet: change <= 100 },
    { measured: `first listing after a change, ${of}`, ours: milliseconds(cold) },
    { measured: `warm listing, ${of}, p50`, ours: milliseconds(warm), target: "<= 10 ms", isMet: warm <= 10 },
    { measured: `tokens of the directory, ${of}`, ours: String(tokens), target: "<= 2,000", isMet: tokens <= 2_000 },
  ];
}

/** Returns the bytes of the heap and of typed arrays that are still in use after a forced collection. */
function usedMemory(): number {
  // Twice, because a finalizer of the first collection may release more.
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
