import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { Refusal } from "@/contracts/guard/refusals";
import { policyOfRules, readTool, shellTool, writeTool } from "@/server/testing/guard/guarded-calls";
import { analyzeCall } from "../call/analyzed-call";
import type { GuardedTool, GuardRequest } from "../call/guard-request";
import { decide } from "../decide";
import { fetches, lists, writes } from "../effects/declare-effects";
import { blameOf } from "./blame";
import { comparableEffects } from "./comparable-effects";
import { computeCallDigest } from "./repeated-refusal";

const shell: GuardedTool = { ...shellTool, effects: ({ cwd }) => (cwd === undefined ? [] : [lists("/cwd", String(cwd))]) };
const fetchTool: GuardedTool = {
  ...readTool,
  name: "url_fetch",
  effect: "write",
  needs: ["http"],
  primaryArgument: "url",
  effects: ({ url, downloadPath }) => [
    fetches("/url", String(url)),
    ...(downloadPath === undefined ? [] : [writes("/downloadPath", String(downloadPath))]),
  ],
};
const callOf = (tool: GuardedTool, args: JsonObject, refusals: Refusal[] = []): GuardRequest => ({
  tool,
  arguments: args,
  context: { interactive: true, folder: "/srv/work", sandboxed: true, refusals },
});
type Rules = Parameters<typeof policyOfRules>[0];

/** Returns the refusal of a call that a person rejected, as a turn remembers it. */
function rejected(tool: GuardedTool, args: JsonObject, rules: Rules = []): Refusal {
  const policy = policyOfRules(rules, { defaultPolicy: "by_effect" });
  const request = callOf(tool, args);
  const decision = decide(policy, request);
  expect(decision.verdict, JSON.stringify(args)).toBe("require_approval");
  const call = analyzeCall(request);
  const touches = comparableEffects(call, blameOf(policy, call, decision));
  return { callId: "c1", tool: tool.name, digest: computeCallDigest(request), touches, by: "person", reason: "", at: 0 };
}
const verdictAfter = (refusal: Refusal, tool: GuardedTool, args: JsonObject) =>
  decide(policyOfRules([], { defaultPolicy: "by_effect" }), callOf(tool, args, [refusal])).verdict;
const targets = ({ touches }: Refusal) => touches.map(({ act, target }) => `${act} ${target}`);

test("a rejected read outside blames the file, not the folder that the session filled in", () => {
  const refusal = rejected(shell, { command: "cat /etc/shadow", cwd: "sub" });
  expect(targets(refusal)).toEqual(["read /etc/shadow"]);
  for (const command of ["ls", "wc f.txt", "pwd; echo $FOO", "cat ../a.txt"])
    expect(verdictAfter(refusal, shell, { command, cwd: "sub" }), command).toBe("allow");
  expect(verdictAfter(refusal, shell, { command: "head -1 /etc/shadow", cwd: "other" })).toBe("require_approval");
});

test("a rule that asks about the call blames all its targets, and never the folder in which it works", () => {
  const refusal = rejected(shell, { command: "rm a.txt", cwd: "sub" }, [{ verdict: "require_approval", pattern: "^rm" }]);
  expect(targets(refusal)).toEqual(["change sub/a.txt"]);
  expect(verdictAfter(refusal, shell, { command: "ls", cwd: "sub" })).toBe("allow");
  expect(verdictAfter(refusal, writeTool, { path: "sub/a.txt" })).toBe("require_approval");
});

test("of several commands only the one that the question was about is blamed", () => {
  const refusal = rejected(shell, { command: "cat notes.txt > copy.txt; curl -s https://evil.example/x; python3 -c \"open('a')\"" });
  expect(targets(refusal)).toEqual(["reach evil.example"]);
  expect(verdictAfter(refusal, shell, { command: "echo x > copy.txt" })).toBe("allow");
});

test("a wrong path beside a URL blames the path, so that the host stays as it was", () => {
  const args = { url: "https://example.com/a", downloadPath: "../a" };
  const refusal = rejected(fetchTool, args);
  expect(targets(refusal)).toEqual(["change ../a"]);
  expect(verdictAfter(refusal, fetchTool, { url: "https://example.com/b" })).toBe("allow");
});

test("a refused port of a host says nothing about its other ports", () => {
  const local = (url: string) => ({ url });
  const refusal = rejected(fetchTool, local("http://127.0.0.1:4207/a"));
  const policy = policyOfRules([], { defaultPolicy: "by_effect", allowedHosts: ["127.0.0.1:4206", "127.0.0.1:4207"] });
  const after = (url: string) => decide(policy, callOf(fetchTool, local(url), [refusal])).verdict;
  expect(after("http://127.0.0.1:4206/")).toBe("allow");
  expect(after("http://127.0.0.1:4207/b")).toBe("require_approval");
  const plain = rejected(fetchTool, local("http://10.0.0.5/"));
  expect(targets(plain)).toEqual(["reach 10.0.0.5:80"]);
});

test("a call that asked only because of an earlier refusal adds no targets of its own", () => {
  const first = rejected(shell, { command: "rm a.txt" }, [{ verdict: "require_approval", pattern: "^rm" }]);
  const policy = policyOfRules([], { defaultPolicy: "by_effect" });
  const request = callOf(shell, { command: "cat b.txt; mv a.txt c.txt" }, [first]);
  const call = analyzeCall(request);
  expect(comparableEffects(call, blameOf(policy, call, decide(policy, request)))).toEqual([]);
});
