import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { analyzeCall } from "../analyzed-call";
import { fetches, writes } from "../effects/declare-effects";
import type { GuardedTool } from "../guard-request";
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
  [shell, { command: "npm install a.b" }, ["^npm install(?: |$)", "^npm(?: |$)"]],
  [shell, { command: "git -C x commit" }, ["^git(?: |$)", "^git(?: |$)"]],
  [shell, { command: "npm ci && make" }, ["^(?:npm ci|make)(?: |$)", "^(?:npm|make)(?: |$)"]],
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
] as const)("patterns of %o, from the narrow to the wide", (tool, args, expected) => {
  expect(patterns(tool, args)).toEqual(expected);
});
