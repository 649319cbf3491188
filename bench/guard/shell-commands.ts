import { corpus } from "../../corpus/guard/corpus";
import { decide } from "../../server/guard/decide";
import { policyOfRules, shellCall } from "../../server/testing/guard/guarded-calls";
import { type Line, milliseconds } from "../report";
import { scaled } from "../scale";
import { percentile } from "../statistics";

/** Every command of the corpus, dangerous or not, read by the shell's grammar and decided, over and over. */
export function shellLine(): Line {
  const policy = policyOfRules([
    { tool: "shell_execute", pattern: "^(ls|cat|grep|find)\\b", verdict: "allow" },
    { tool: "shell_execute", pattern: "\\bgit push\\b", verdict: "require_approval" },
  ]);
  const commands = corpus.flatMap((group) => group.commands);
  const times: number[] = [];
  for (let round = -1; round < scaled(20, 2); round++) {
    for (const command of commands) {
      const began = performance.now();
      decide(policy, shellCall(command), 0);
      // The first round only warms up.
      if (round >= 0) times.push(performance.now() - began);
    }
  }
  const p99 = percentile(times, 0.99);
  return {
    measured: `one of ${commands.length} shell commands read and decided, p99`,
    ours: milliseconds(p99),
    target: "< 1 ms",
    isMet: p99 < 1,
  };
}
