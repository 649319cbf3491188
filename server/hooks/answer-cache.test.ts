import { expect, test } from "vitest";
import type { GuardedTool } from "@/server/guard/call/guard-request";
import { hookDraft } from "@/server/testing/hook-drafts";
import { cachesFor, keepAnswer, keptAnswer } from "./answer-cache";
import { compileHook } from "./compile-hook";
import type { HookContext } from "./hook-context";

const cache = compileHook({
  ...hookDraft({ event: "before_tool", action: { type: "cache", scope: "workspace", ttlSeconds: 60 } }),
  id: "cache",
  version: 1,
});

const scene = (conversationId: string, needs: string[]): HookContext => {
  const common = { source: "builtin", sourceRef: null, effect: "read", surface: "natural", primaryArgument: null } as const;
  const tool: GuardedTool = { ...common, name: `with_${needs.join("_")}`, needs };
  return {
    event: "before_tool",
    workspaceId: "w",
    conversationId,
    turnId: null,
    callId: null,
    agent: { id: "a", name: "a" },
    tool,
    arguments: {},
  };
};

const isKeptFor = (needs: string[]) => {
  const [here, there] = [scene("here", needs), scene("there", needs)];
  const value = { id: "1" };
  keepAnswer(cachesFor([cache], here), here, value, { text: "of here" });
  expect(keptAnswer(cachesFor([cache], here), here, value)).not.toBeNull();
  return keptAnswer(cachesFor([cache], there), there, value) !== null;
};

test.each(["files", "shell", "jobs", "disclosure", "artifacts"])(
  "an answer of a tool that needs %s never leaves its conversation",
  (need) => {
    expect(isKeptFor([need])).toBe(false);
  },
);

test("an answer that is the same everywhere is kept for the workspace", () => {
  expect(isKeptFor(["http"])).toBe(true);
});
