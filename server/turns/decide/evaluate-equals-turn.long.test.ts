import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decisions/decision";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { EvaluatedContext } from "@/contracts/guard/rule-conditions";
import { corpus } from "@/corpus/guard/corpus";
import { escapes } from "@/corpus/guard/escapes";
import { everydayCommands } from "@/corpus/guard/everyday";
import { everydayCalls } from "@/corpus/guard/everyday-calls";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { createRule } from "@/server/policy/rules/create-rule";
import { authorize } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { submitCalls, useStage } from "@/server/testing/stage";
import { turnRow } from "@/server/testing/turns/live-turns";
import { newTurn } from "../live-turn";
import { newCall } from "../new-call";
import { decideCalls } from "../steps/decide-calls";
import { planCalls } from "../steps/plan-calls";
import { takeCarriedCall } from "../take-carried-call";
import { evaluateCall } from "./evaluate-call";

const stage = useStage();

beforeEach(async () => {
  const { workspace, admin } = stage.built;
  await addBuiltinTools(workspace.id);
  const folder = workspaceFolder({ id: stage.conversationId, workspaceId: workspace.id }, { sharedFolder: null });
  await mkdir(path.join(folder, "docs"), { recursive: true });
  await writeFile(path.join(folder, "docs/a.md"), "text");
  await symlink("/proc/self/cwd", path.join(folder, "own"));
  await symlink("/etc/passwd", path.join(folder, "out"));
  await symlink("docs", path.join(folder, "manual"));
  const rules = [
    { tool: "shell_execute", pattern: "^git commit", verdict: "deny" },
    { tool: "does:reads_path", pattern: "^private/", verdict: "deny" },
    { tool: "does:connects_to", pattern: "^api\\.github\\.com$", verdict: "allow" },
    { tool: "shell_execute", pattern: "^npm (?:test|run)(?: |$)", verdict: "allow", context: { actors: [admin.id] } },
  ];
  for (const rule of rules) await createRule(authorize(admin, "guard:write"), GuardRuleDraft.parse({ name: "Rule", ...rule }));
});

type Call = { tool: string; arguments: JsonObject };

/** Decides a call in the steps of a turn, up to the point at which it would run or be asked about. */
async function decideInTurn({ tool, arguments: args }: Call): Promise<Decision | null> {
  const turn = turnRow(stage.built.admin, stage.conversationId);
  const { name, arguments: taken, carriedBy } = takeCarriedCall({ name: tool, arguments: args });
  if (typeof taken === "string") throw new Error("the arguments were sent as an object");
  const row = newCall(turn, 0, { runtimeId: "c0", requestedName: name, carriedBy, arguments: taken, rawArguments: null });
  const { ready, refused, barrier } = await decideCalls(await planCalls(newTurn(turn, [row]), []));
  return ready[0]?.decision ?? refused[0]?.decision ?? (barrier?.kind === "ask" ? barrier.call.decision : null);
}

async function evaluate(call: Call) {
  const context = EvaluatedContext.parse({ conversationId: stage.conversationId });
  return evaluateCall(authorize(stage.built.admin, "guard:read"), { ...call, context });
}

const told = ({
  verdict,
  reason,
  ruleId,
  findings,
  trace,
  effects,
  sandboxed,
}: Pick<Decision, "verdict" | "reason" | "ruleId" | "findings" | "trace" | "effects" | "sandboxed">) =>
  JSON.stringify({ verdict, reason, ruleId, findings, trace, effects, sandboxed });

const commands = [
  ...new Set([
    "cat /proc/self/status",
    "cat /proc/self/environ",
    "cat /proc/self/cgroup /proc/self/fd/3",
    "cat /proc/$PPID/status",
    "cat /proc/thread-self/status /dev/fd/3",
    "ls own/ && cat own/package.json",
    "cat out manual/a.md private/x",
    "git -C . commit -m x",
    ...corpus.flatMap((group) => group.commands),
    ...escapes.map(({ command }) => command),
    ...everydayCommands.map(({ command }) => command),
  ]),
];
/** Every call of the lists in turn by the shell, by a carrier, as a process and as code, until there are enough. */
const asked: Call[] = [
  { tool: "read_file", arguments: { path: "own/package.json" } },
  { tool: "tool_call", arguments: { toolName: "read_file", arguments: { path: "own/package.json" } } },
  ...everydayCalls.filter(({ tool }) => /^(?:read_file|write_file|edit_file|search_files|url_fetch)$/.test(tool)),
  ...commands.map((command, index): Call => {
    const inner: JsonObject | undefined = [
      { toolName: "shell_execute", arguments: { command } },
      { toolName: "process", arguments: { action: "start", command } },
      { toolName: "execute_code", arguments: { language: "shell", mode: "project", code: command } },
    ][index % 6];
    return inner ? { tool: "tool_call", arguments: inner } : { tool: index % 2 ? "bash" : "shell_execute", arguments: { command } };
  }),
].slice(0, 2_200);

test("an evaluation decides what a turn decides, in 2,000 calls", { timeout: 240_000 }, async () => {
  let compared = 0;
  const verdicts = new Map<string, number>();
  for (const call of asked) {
    const inTurn = await decideInTurn(call);
    if (!inTurn) continue;
    const evaluation = await evaluate(call);
    expect(told(evaluation), JSON.stringify(call)).toBe(told(inTurn));
    compared += 1;
    verdicts.set(inTurn.verdict, (verdicts.get(inTurn.verdict) ?? 0) + 1);
  }
  expect(compared).toBeGreaterThanOrEqual(2_000);
  expect(Math.min(...verdicts.values())).toBeGreaterThan(50);
  expect(verdicts.size).toBe(3);
});

test("a call in a carrier is evaluated as the call that it carries", async () => {
  const carried = { toolName: "shell_execute", arguments: { command: "git -C . commit -m x" } };
  expect(await evaluate({ tool: "tool_call", arguments: carried })).toMatchObject({ verdict: "deny", tool: "shell_execute" });
});

test("a link to the own process names no folder of the product, to nobody", async () => {
  for (const [name, args] of [
    ["read_file", { path: "own/package.json" }],
    ["shell_execute", { command: "cat own/package.json" }],
  ] as const) {
    const { reason, effects } = await evaluate({ tool: name, arguments: args });
    expect(JSON.stringify({ reason, effects })).not.toContain(process.cwd());
  }
  const { calls } = await submitCalls(stage, [["read_file", { path: "own/package.json" }]]);
  expect(JSON.stringify(calls)).not.toContain(process.cwd());
  expect(JSON.stringify(calls)).not.toContain(`/proc/${process.pid}`);
});
