import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { GuardRuleDraft } from "../contracts/guard";
import { onTrial } from "../server/guard/call-on-trial";
import type { RuleContent } from "../server/guard/compile-policy";
import { decide } from "../server/guard/decide";
import { callOf, policyOfRules, readTool } from "../server/testing/guarded-calls";
import type { Line } from "./report";
import { scaled } from "./scale";
import { median, percentile } from "./statistics";

const folder = path.resolve(import.meta.dirname, "../node_modules/.cache/handrail-bench-guard");
const packages = { casbin: "5.51.1", "@cedar-policy/cedar-wasm": "4.13.0" };

const sizes = [1, 100, 10_000] as const;
const rounds = 5;
const limitUs = 2;
const asked = { path: "drafts/chapter-1.md" };

/** Decides one call, and says whether it is allowed. */
type Decider = { name: string; decide: () => boolean; decisions: number };

/**
 * One decision of the guard on a call that was looked through already, among rules for other tools; beside two policy
 * engines that decide an equivalent policy in this process. All of it is processor time of one thread, without HTTP.
 */
export async function guardDecisions(): Promise<Line[]> {
  const lines: Line[] = [];
  const p99 = new Map<number, number[]>();
  for (const size of sizes) {
    const deciders = [handrail(size), ...(await anchors(size))];
    const found = measure(deciders);
    const [ours = []] = found;
    p99.set(size, ours);
    lines.push({
      measured: `one decision among ${size.toLocaleString("en")} rules, p99`,
      ours: microseconds(median(ours)),
      target: `<= ${limitUs} us`,
      isMet: median(ours) <= limitUs,
    });
    for (const [index, { name }] of deciders.entries()) {
      const theirs = found[index] ?? [];
      if (index === 0) continue;
      const ratios = ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
      lines.push({
        measured: `the same, p99 / ${name}`,
        ours: microseconds(median(ours)),
        anchor: microseconds(median(theirs)),
        ratio: median(ratios),
      });
    }
  }
  lines.push(...reasonsForMissing, growthLine(p99), regexLine());
  return lines;
}

function growthLine(p99: ReadonlyMap<number, number[]>): Line {
  const few = p99.get(1) ?? [];
  const ratio = median((p99.get(10_000) ?? []).map((value, round) => value / (few[round] ?? Number.NaN)));
  return { measured: "p99 among 10,000 rules / among 1", ours: ratio.toFixed(2), ratio, target: "<= 1.5", isMet: ratio <= 1.5 };
}

/** 10,000 patterns for one tool, of which none fits: each has to be ruled out. */
function regexLine(): Line {
  const policy = policyOfRules(
    Array.from({ length: 10_000 }, (_, index) => ({
      tool: readTool.name,
      pattern: `^(drafts|notes)/area-${index}/[a-z]+\\.md$`,
      verdict: "deny",
    })),
  );
  const call = onTrial(callOf(readTool, asked));
  // A call of its own each time: what is found out about one is not known of the next.
  const once = () => decide(policy, { ...call }, 0).verdict === "allow";
  timesOf(once, 20);
  const times = timesOf(once, scaled(300, 20));
  const ms = percentile(times, 0.99) / 1_000;
  return {
    measured: "one decision among 10,000 patterns on its tool, p99",
    ours: `${ms.toFixed(2)} ms`,
    target: "<= 2 ms",
    isMet: ms <= 2,
  };
}

const ruleOf = (content: Partial<RuleContent>) => GuardRuleDraft.parse({ name: "Rule", tool: "*", verdict: "allow", ...content });

function handrail(size: number): Decider {
  const others = Array.from({ length: size - 1 }, (_, index) => ruleOf({ tool: `tool_${index}`, pattern: "^drafts/" }));
  const policy = policyOfRules([...others, ruleOf({ tool: readTool.name, pattern: "^drafts/" })], { defaultPolicy: "deny" });
  const call = onTrial(callOf(readTool, asked));
  return { name: "Handrail", decide: () => decide(policy, call, 0).verdict === "allow", decisions: scaled(50_000, 2_000) };
}

/** 99th percentile of each decider in each round, in microseconds; who begins changes from round to round. */
function measure(deciders: readonly Decider[]): number[][] {
  for (const { decide: once, decisions } of deciders) timesOf(once, Math.ceil(decisions / 5));
  const found: number[][] = deciders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const order = [...deciders.entries()];
    for (const [index, { decide: once, decisions }] of round % 2 === 0 ? order : order.toReversed()) {
      found[index]?.push(percentile(timesOf(once, decisions), 0.99));
    }
  }
  return found;
}

/** Microseconds of each time, what the clock itself takes included (some 0.05). */
function timesOf(decideOnce: () => boolean, times: number): number[] {
  const taken = new Float64Array(times);
  for (let time = 0; time < times; time++) {
    const began = performance.now();
    const allowed = decideOnce();
    taken[time] = (performance.now() - began) * 1_000;
    if (!allowed) throw new Error("a decision came out wrong");
  }
  return [...taken];
}

const microseconds = (value: number) => `${value.toFixed(2)} us`;

const reasonsForMissing: Line[] = [];

/** Casbin and Cedar with as many policies; one that cannot be had is named with the reason, instead of a figure. */
async function anchors(size: number): Promise<Decider[]> {
  try {
    const require = createRequire(path.join(await installed(), "package.json"));
    return [await casbin(require("casbin"), size), cedar(require("@cedar-policy/cedar-wasm/nodejs"), size)];
  } catch (error) {
    if (reasonsForMissing.length === 0) {
      reasonsForMissing.push({
        measured: "casbin and cedar-wasm",
        ours: error instanceof Error ? error.message.slice(0, 200) : String(error),
      });
    }
    return [];
  }
}

type Casbin = {
  newModelFromString: (text: string) => unknown;
  StringAdapter: new (text: string) => unknown;
  newEnforcer: (model: unknown, adapter: unknown) => Promise<{ enforceSync: (...asked: string[]) => boolean }>;
};

async function casbin({ newModelFromString, StringAdapter, newEnforcer }: Casbin, size: number): Promise<Decider> {
  const model = newModelFromString(`[request_definition]
r = tool, path
[policy_definition]
p = tool, path
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.tool == p.tool && regexMatch(r.path, p.path)`);
  const policies = [...Array.from({ length: size - 1 }, (_, index) => `p, tool_${index}, ^drafts/`), `p, ${readTool.name}, ^drafts/`];
  const enforcer = await newEnforcer(model, new StringAdapter(policies.join("\n")));
  // It looks at every policy, so that fewer decisions take as long.
  return {
    name: "casbin",
    decide: () => enforcer.enforceSync(readTool.name, asked.path),
    decisions: scaled(Math.max(100, 10_000 / size), 20),
  };
}

type Cedar = {
  preparsePolicySet: (id: string, policies: { staticPolicies: string }) => { type: string };
  statefulIsAuthorized: (call: Record<string, unknown>) => { type: string; response?: { decision: string } };
};

function cedar({ preparsePolicySet, statefulIsAuthorized }: Cedar, size: number): Decider {
  const permit = (tool: string) => `permit(principal, action == Action::"${tool}", resource) when { context.path like "drafts/*" };`;
  const staticPolicies = [...Array.from({ length: size - 1 }, (_, index) => permit(`tool_${index}`)), permit(readTool.name)].join("\n");
  const id = `bench-${size}`;
  if (preparsePolicySet(id, { staticPolicies }).type !== "success") throw new Error("cedar did not take the policies");
  const call = {
    principal: { type: "Agent", id: "a" },
    action: { type: "Action", id: readTool.name },
    resource: { type: "Workspace", id: "w" },
    context: asked,
    entities: [],
    preparsedPolicySetId: id,
  };
  const decideOnce = () => statefulIsAuthorized(call).response?.decision === "allow";
  return { name: "cedar-wasm", decide: decideOnce, decisions: scaled(Math.max(100, 10_000 / size), 20) };
}

/** Installs both into a folder of its own, once; they are no dependencies of ours. @throws Error when npm cannot get them */
async function installed(): Promise<string> {
  if (Object.keys(packages).every((name) => existsSync(path.join(folder, "node_modules", name, "package.json")))) return folder;
  await mkdir(folder, { recursive: true });
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  console.error(`Installing ${wanted.join(" and ")} to measure against ...`);
  const options = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", ...wanted];
  const { status, stderr } = spawnSync("npm", options, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm could not install ${wanted.join(" and ")}: ${stderr.slice(-300)}`);
  return folder;
}
