import { spawnSync } from "node:child_process";
import path from "node:path";
import { audit } from "./audit";
import { calls } from "./calls";
import { codingAgents } from "./coding-agents";
import { decisions } from "./decisions";
import { documentKinds } from "./document-kinds";
import { documentWords } from "./document-words";
import { documents } from "./documents";
import { growth } from "./growth";
import { guardDecisions } from "./guard-decisions";
import { knowledge } from "./knowledge";
import { knowledgeUse } from "./knowledge-use";
import { mcpCalls } from "./mcp-calls";
import { mcpEndpoint } from "./mcp-endpoint";
import { mcpSessionCycles } from "./mcp-session-cycles";
import { mcpWay } from "./mcp-way";
import { messengers } from "./messengers";
import { pages } from "./pages";
import { policyChange } from "./policy-change";
import { profile, profileCodingAgents, profileMcp } from "./profile";
import { type Line, machine, table } from "./report";
import { runs } from "./runs";
import { sandboxedStart } from "./sandboxed-start";
import { isWhole } from "./scale";
import { search } from "./search";
import { sideEffects } from "./side-effects";
import { start } from "./start";
import { streams } from "./streams";
import { suspended } from "./suspended";
import { toolPoisoning } from "./tool-poisoning";
import { toolSearch } from "./tool-search";

/** Each claim of the product about its speed and cost, by the name of its file. */
const claims: Record<string, () => Promise<Line[]>> = {
  calls,
  "mcp-calls": mcpCalls,
  "mcp-endpoint": mcpEndpoint,
  "mcp-way": mcpWay,
  "mcp-session-cycles": mcpSessionCycles,
  "side-effects": sideEffects,
  decisions,
  "coding-agents": codingAgents,
  "guard-decisions": guardDecisions,
  "policy-change": policyChange,
  audit,
  suspended,
  streams,
  growth,
  start,
  "sandboxed-start": sandboxedStart,
  search,
  pages,
  documents,
  "document-kinds": documentKinds,
  "document-words": documentWords,
  knowledge,
  "knowledge-use": knowledgeUse,
  "tool-search": toolSearch,
  runs,
  messengers,
  "tool-poisoning": toolPoisoning,
};

/** Where the server spends its time: no claims, but the way to them. */
const profiles: Record<string, () => Promise<string>> = {
  profile,
  "profile-mcp": profileMcp,
  "profile-coding-agents": profileCodingAgents,
};

/** A target that is missed is a finding; only what broke makes the bench fail. */
async function main(asked: string[]): Promise<number> {
  const unknown = asked.find((name) => !Object.hasOwn(profiles, name) && !Object.hasOwn(claims, name));
  if (unknown) {
    console.error(`There is no claim named ${unknown}. Choose from: ${Object.keys(claims).join(", ")}; or profile, profile-mcp.`);
    return 1;
  }
  const built = spawnSync(process.execPath, [path.resolve(import.meta.dirname, "../scripts/start.mjs"), "--build"], { stdio: "inherit" });
  if (built.status !== 0) return 1;
  console.log(machine());
  if (!isWhole)
    console.log(`A trial run (BENCH_SCALE=${process.env.BENCH_SCALE}): rounds are shorter and counts smaller than the targets ask for.`);
  const lines: Line[] = [];
  let broken = 0;
  for (const name of asked.length > 0 ? asked : Object.keys(claims)) {
    const began = performance.now();
    try {
      const profiled = await profiles[name]?.();
      if (profiled !== undefined) console.log(profiled);
      const found = (await claims[name]?.()) ?? [];
      lines.push(...found);
      // A run of all claims takes minutes: what is known is told at once, beside the table.
      console.error(`${name} took ${((performance.now() - began) / 1_000).toFixed(0)} s`);
      for (const { measured, ours, ratio } of found) console.error(`  ${measured}: ${ours}${ratio ? ` (${ratio.toFixed(2)})` : ""}`);
    } catch (error) {
      broken++;
      console.error(`${name} broke:`, error);
    }
  }
  if (lines.length > 0) console.log(table(lines));
  return broken > 0 ? 1 : 0;
}

// Whoever is stopped half-way tidies up in listeners for the exit.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

process.exitCode = await main(process.argv.slice(2));
