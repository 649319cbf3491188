/**
 * `npm run fuzz:guard [-- --scripts=1000] [--rule=readers|sixty] [--seed=1] [--without-links] [--json]`: makes scripts out of readers, takes those
 * that the guard allows under the rule without the sandbox, and runs them for real in a throwaway box under strace, in dash and in
 * bash. Reported is every program outside of the rule, write, deletion, connection, and file outside of the folder.
 */
import fc from "fast-check";
import { readersRule, sixtyReadersRule } from "@/corpus/guard/escapes";
import { buildRequest, requestIn, ruleAlone } from "@/corpus/guard/measure/settings";
import { decide } from "@/server/guard/decide";
import { policyOfRules, shellTool } from "@/server/testing/guard/guarded-calls";
import { type Violation, violationsIn } from "./fuzz/read-trace";
import { grammars } from "./fuzz/script-grammar";
import { buildBox, whatIsMissing } from "./fuzz/throwaway-box";

type RuleName = keyof typeof grammars;
type Broken = { script: string; shells: string[]; violations: Violation[] };
type Fuzzed = { rule: RuleName; seed: number; made: number; allowed: number; broken: Broken[]; secretsRead: string[] };

const rules: Readonly<Record<RuleName, string>> = { readers: readersRule, sixty: sixtyReadersRule };
const shells = ["dash", "bash --posix"];

const option = (name: string, otherwise: string) =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;

/** Programs that a rule such as `^(ls|cat)(\s|$)` names. */
const programsOf = (rule: string) => new Set(rule.slice(2, rule.indexOf(")")).split("|"));

async function fuzz(rule: RuleName, wanted: number, seed: number): Promise<Fuzzed> {
  const setting = { name: rule, policy: policyOfRules([{ tool: shellTool.name, pattern: rules[rule] }], ruleAlone), sandboxed: false };
  const programs = programsOf(rules[rule]);
  const box = buildBox({ links: !process.argv.includes("--without-links") });
  const isAllowed = async (command: string) => {
    // A look at the folder takes longer than a look at the words.
    if (decide(setting.policy, buildRequest("shell_execute", { command }, setting)).verdict !== "allow") return false;
    return decide(setting.policy, await requestIn(box.folder, command, setting)).verdict === "allow";
  };
  const fuzzed: Fuzzed = { rule, seed, made: 0, allowed: 0, broken: [], secretsRead: [] };
  const seen = new Set<string>();
  // A guard that allows nothing must not keep the fuzzer for ever.
  const most = wanted * 200;
  try {
    for (let round = 0; fuzzed.allowed < wanted && fuzzed.made < most; round++) {
      for (const script of fc.sample(grammars[rule], { numRuns: 500, seed: seed + round })) {
        if (fuzzed.allowed >= wanted) break;
        fuzzed.made += 1;
        if (seen.has(script) || !(await isAllowed(script))) continue;
        seen.add(script);
        fuzzed.allowed += 1;
        const runs = shells.map((shell) => ({ shell, violations: violationsIn(box.trace(shell, script), box.folder, programs) }));
        const broken = runs.filter(({ violations }) => violations.some(isGrave));
        const [first] = broken;
        if (first) fuzzed.broken.push({ script, shells: broken.map(({ shell }) => shell), violations: first.violations.filter(isGrave) });
        if (runs.some(({ violations }) => !violations.every(isGrave))) fuzzed.secretsRead.push(script);
        if (first) box.reset();
      }
    }
  } finally {
    box.remove();
  }
  return fuzzed;
}

/** Secrets inside of the folder are another question: whoever reads all files reads them, too. */
const isGrave = ({ kind }: Violation) => kind !== "read a secret";

function print({ rule, seed, made, allowed, broken, secretsRead }: Fuzzed): void {
  console.log(`Rule for ${rule}, seed ${seed}: ${made} scripts made, ${allowed} distinct ones allowed and run in ${shells.join(" and ")}`);
  const kinds = Object.groupBy(
    broken.flatMap(({ violations, script }) => violations.map(({ kind }) => ({ kind, script }))),
    ({ kind }) => kind,
  );
  console.log(`Allowed scripts that left the folder, ran, wrote or connected: ${broken.length}`);
  for (const [kind, each = []] of Object.entries(kinds)) console.log(`  ${kind}: ${new Set(each.map(({ script }) => script)).size}`);
  console.log(`Scripts that read .env or a private key inside of the folder: ${secretsRead.length}`);
  for (const script of secretsRead) console.log(`  ${JSON.stringify(script)}`);
  for (const { script, shells, violations } of broken) {
    const [first, ...more] = violations;
    console.log(
      `  [${shells.join(", ")}] ${JSON.stringify(script)}\n      ${first?.kind}: ${first?.what}${more.length > 0 ? `, and ${more.length} more` : ""}`,
    );
  }
}

const missing = whatIsMissing();
if (missing.length > 0) {
  for (const sentence of missing) console.error(`fuzz: ${sentence}`);
  process.exit(2);
}
const rule = option("rule", "readers");
const wanted = Number(option("scripts", "1000"));
const seed = Number(option("seed", "1"));
if (!Object.hasOwn(grammars, rule) || !Number.isInteger(wanted) || wanted < 1 || !Number.isInteger(seed)) {
  console.error("fuzz: --rule is readers or sixty; --scripts and --seed are whole numbers, the first of them 1 or more.");
  process.exit(2);
}
const fuzzed = await fuzz(rule as RuleName, wanted, seed);
if (process.argv.includes("--json")) console.log(JSON.stringify(fuzzed, null, 2));
else print(fuzzed);
process.exitCode = fuzzed.broken.length > 0 ? 1 : 0;
