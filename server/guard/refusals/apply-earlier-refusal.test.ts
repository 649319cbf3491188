import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { Refusal } from "@/contracts/guard/refusals";
import { mcpTool, policyOfRules, readTool, shellTool, writeTool } from "@/server/testing/guard/guarded-calls";
import { analyzeCall } from "../call/analyzed-call";
import type { GuardedTool, GuardRequest } from "../call/guard-request";
import { decide } from "../decide";
import { fetches } from "../effects/declare-effects";
import { comparableEffects } from "./comparable-effects";
import { computeCallDigest } from "./repeated-refusal";

const codeTool: GuardedTool = { ...writeTool, name: "execute_code", needs: [], primaryArgument: "code" };
const fetchTool: GuardedTool = {
  ...readTool,
  name: "url_fetch",
  needs: ["http"],
  primaryArgument: "url",
  effects: ({ url }) => [fetches("/url", String(url))],
};
const deleteNote: GuardedTool = { ...mcpTool, name: "notes__delete", sourceRef: "server-1" };
const updateNote: GuardedTool = { ...mcpTool, name: "notes__update", sourceRef: "server-1" };

type Call = [tool: GuardedTool, args: JsonObject];
const shell = (command: string): Call => [shellTool, { command }];
const asked = ([tool, args]: Call, refusals: Refusal[] = []): GuardRequest => ({
  tool,
  arguments: args,
  context: { interactive: true, folder: "/srv/notes", refusals },
});
const refused = (call: Call, more: Partial<Refusal> = {}): Refusal => ({
  callId: "c1",
  tool: call[0].name,
  digest: computeCallDigest(asked(call)),
  touches: comparableEffects(analyzeCall(asked(call))),
  by: "person",
  reason: "",
  at: 0,
  ...more,
});
/** Decides a call after a refusal, in a workspace that allows everything else. */
const decidedAfter = (refusal: Refusal, call: Call, rules: Parameters<typeof policyOfRules>[0] = []) =>
  decide(policyOfRules(rules, { defaultPolicy: "allow", allowedHosts: ["example.com"] }), asked(call, [refusal]));

describe("after `rm x` was refused", () => {
  const removal = refused(shell("rm x"));
  test.each<[string, Call]>([
    ["an empty write_file", [writeTool, { path: "x", content: "" }]],
    ["the same path in other words", [writeTool, { path: "./a/../x", content: "" }]],
    ["the same path from the root", [writeTool, { path: "/srv/notes/x", content: "" }]],
    ["code that unlinks it", [codeTool, { code: "import os\nos.unlink('x')" }]],
    ["code that shells out", [codeTool, { code: 'require("child_process").execSync("rm -f x")' }]],
    ["python in the shell", shell("python3 -c \"import os; os.remove('x')\"")],
    ["mv to nowhere", shell("mv x /dev/null")],
    ["mv elsewhere", shell("mv x y")],
    ["truncate", shell("truncate -s 0 x")],
    ["a redirection", shell(": > x")],
    ["a copy over it", shell("cp /dev/null x")],
    ["dd", shell("dd if=/dev/null of=x")],
    ["find -delete", shell("find . -name x -delete")],
    ["a glob", shell("rm x*")],
    ["a glob for one character", shell("rm ?")],
    ["a glob with a bracket", shell("rm [xyz]")],
    ["sort into it", shell("sort -o x /dev/null")],
    ["uniq into it", shell("uniq /dev/null x")],
    ["another spelling", shell("rm -f -- ./x")],
    ["unlink", shell("unlink x")],
    ["git rm", shell("git rm x")],
    ["sed in place", shell("sed -i d x")],
    ["a wrapper", shell("env A=1 timeout 5 rm x")],
    ["a tool of a server", [{ ...mcpTool, name: "fs__delete_file" }, { path: "x" }]],
    ["the same command again", shell("rm x")],
  ])("%s asks, and names the refusal", (_title, call) => {
    const decision = decidedAfter(removal, call);
    expect(decision.verdict).toBe("require_approval");
    expect(decision.reason).toContain("A person refused shell_execute earlier in this conversation");
    expect(decision.trace.at(-1)).toMatchObject({ ruleId: "c1", result: "matched" });
  });
  test.each<[string, Call]>([
    ["reading it", [readTool, { path: "x" }]],
    ["looking at it in the shell", shell("cat x | grep y; ls -la x; wc -l x")],
    ["copying it elsewhere", shell("cp x y")],
    ["another file", [writeTool, { path: "xy", content: "" }]],
    ["a text that speaks of it", [writeTool, { path: "notes.md", content: "rm 'x' was refused" }]],
    ["a file of the same name elsewhere", shell("cd sub && rm x")],
    ["sed that only prints", shell("sed -n 1p x")],
    ["a subcommand of the same name", shell("npm run x")],
    ["a message that quotes it", shell("git commit -m \"removes 'x'\"")],
    ["a file whose name begins the same", shell("rm xylophone")],
    ["sorting it", shell("sort -r x | uniq")],
  ])("%s is as it was", (_title, call) => expect(decidedAfter(removal, call).trace.map(({ ruleId }) => ruleId)).not.toContain("c1"));
});

test.each<[string, Call, Call]>([
  ["a folder", shell("rm -r dir"), [writeTool, { path: "dir/a", content: "" }]],
  ["reading", shell("cat secrets.txt"), [readTool, { path: "secrets.txt" }]],
  ["reading by a copy", [readTool, { path: "secrets.txt" }], shell("cp secrets.txt y && cat y")],
  ["changing what was not to be read", shell("cat secrets.txt"), shell("mv secrets.txt y")],
  ["one of several", shell("rm a?.txt"), [writeTool, { path: "ab.txt", content: "" }]],
  ["one of several in brackets", shell("rm [ab].txt"), [writeTool, { path: "b.txt", content: "" }]],
  ["a path in a program", [writeTool, { path: "my notes.txt" }], [codeTool, { code: "open(`my notes.txt`, 'w')" }]],
  ["a host", [fetchTool, { url: "https://Example.com/a" }], shell("curl -s http://example.com./b | head")],
  ["a thing of a server", [deleteNote, { id: "17" }], [updateNote, { id: "17", text: "" }]],
])("what was refused is recognised by effect and target: %s", (_title, first, second) => {
  expect(decidedAfter(refused(first), second).verdict).toBe("require_approval");
});

test.each<[string, Call, Call]>([
  ["a host is no file of its name", [fetchTool, { url: "https://notes.md/a" }], [writeTool, { path: "notes.md", content: "" }]],
  ["a thing of another server", [deleteNote, { id: "17" }], [{ ...updateNote, sourceRef: "server-2" }, { id: "17" }]],
  ["another thing of the same server", [deleteNote, { id: "17" }], [updateNote, { id: "18" }]],
  ["nothing is known of a variable", shell("rm $X"), [writeTool, { path: "src/a.ts", content: "" }]],
])("what was refused is not recognised where it is something else: %s", (_title, first, second) => {
  expect(decidedAfter(refused(first), second).verdict).toBe("allow");
});

test.each<[string, Refusal, Call, string]>([
  [
    "a person, and what is changed",
    refused(shell("rm x"), { reason: "Keep it" }),
    [writeTool, { path: "x", content: "" }],
    'A person refused shell_execute ("Keep it") earlier in this conversation, and this call of write_file changes the same: x.',
  ],
  [
    "that nobody answered, and what is read",
    refused(shell("cat x"), { by: "expiry" }),
    [readTool, { path: "x" }],
    "Nobody approved shell_execute in time earlier in this conversation, and this call of read_file reads the same: x.",
  ],
  [
    "what is reached",
    refused([fetchTool, { url: "https://example.com/a" }]),
    shell("curl https://example.com/b"),
    "A person refused url_fetch earlier in this conversation, and this call of shell_execute reaches the same: example.com.",
  ],
  [
    "that it is the same call",
    refused(shell("touch x")),
    shell("touch x"),
    "A person refused shell_execute earlier in this conversation, and this is the same call again.",
  ],
])("the question names %s", (_title, refusal, call, sentence) => {
  const { reason, trace } = decidedAfter(refusal, call);
  expect(reason).toBe(sentence);
  expect(trace.at(-1)).toMatchObject({ ruleName: "Refused earlier in this conversation", why: sentence });
});

test("of several refusals the oldest that fits is named, and the trace lists all that an approval lifts", () => {
  const refusals = [
    refused(shell("rm y"), { callId: "c0" }),
    refused(shell("rm x"), { callId: "c1" }),
    refused(shell("mv x z"), { callId: "c2" }),
  ];
  const decision = decide(policyOfRules([], { defaultPolicy: "allow" }), asked(shell("unlink x"), refusals));
  expect(decision.reason).toContain("this call of shell_execute changes the same: x");
  expect(decision.trace.map(({ ruleId }) => ruleId)).toEqual(["c1", "c2"]);
});

test("where nothing was refused nothing is asked about", () => {
  const policy = policyOfRules([], { defaultPolicy: "allow" });
  expect(decide(policy, asked(shell("touch x"))).verdict).toBe("allow");
  expect(decide(policy, { ...asked(shell("touch x")), context: { interactive: true } }).verdict).toBe("allow");
});

test("a question about what was approved in advance says so no more", () => {
  const decision = decidedAfter(refused(shell("rm x")), [writeTool, { path: "x", content: "" }]);
  expect(decision).toMatchObject({ ruleId: null });
  expect(decision).not.toHaveProperty("grantId");
});

test("a denial stays one, and says that it was refused before", () => {
  const decision = decidedAfter(refused(shell("rm x")), shell("rm x"), [{ verdict: "deny", reason: "No deleting." }]);
  expect(decision.verdict).toBe("deny");
  expect(decision.reason).toMatch(/^No deleting\. A person refused .* this is the same call again\.$/);
});

test("a question stays the rule's own question, with what was refused before", () => {
  const rules = [{ id: "r1", verdict: "require_approval" as const, reason: "Ask first." }];
  const decision = decidedAfter(refused(shell("rm x")), shell("rm x"), rules);
  expect(decision).toMatchObject({ verdict: "require_approval", ruleId: "r1" });
  expect(decision.reason).toMatch(/^Ask first\. A person refused/);
});

test("the same refusal is the same question, so that an answer to it holds", () => {
  const refusal = refused(shell("rm x"));
  const call: Call = [writeTool, { path: "x", content: "" }];
  expect(decidedAfter(refusal, call).ruleDigest).toBe(decidedAfter(refusal, call).ruleDigest);
  expect(decidedAfter(refusal, call).ruleDigest).not.toBe(decidedAfter({ ...refusal, callId: "c2" }, call).ruleDigest);
});

test("a long program with many quotes is looked through in time that grows with it", () => {
  const program = `${"'a\" ".repeat(15_000)} os.unlink('x')`;
  expect(comparableEffects(analyzeCall(asked([codeTool, { code: program }]))).length).toBeGreaterThan(0);
});
