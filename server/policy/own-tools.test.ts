import { beforeEach, expect, test } from "vitest";
import { reads } from "@/server/guard/effects/declare-effects";
import { forgetProcess } from "@/server/platform/process-wide";
import { escalatedSentence, provideOwnTools, toolEffects } from "./own-tools";

beforeEach(forgetProcess);

test("tools that say their effects are known by name to whoever only evaluates calls", () => {
  provideOwnTools([{ name: "look_at", effects: ({ path }) => [reads("/path", String(path))] }, { name: "says_nothing" }]);
  expect(toolEffects("look_at")?.({ path: "a" })).toEqual([{ kind: "read", argument: "/path", path: "a" }]);
  expect(toolEffects("says_nothing")).toBeUndefined();
  expect(toolEffects("nobody")).toBeUndefined();
});

test("a refused escalated call is sent to the one tool that carries it out", () => {
  const bridge = { isConnected: async () => true, notConnected: "it is not connected" };
  expect(escalatedSentence("send_payment")).toContain("ask an admin");
  provideOwnTools([{ name: "hand_over", bridge }]);
  expect(escalatedSentence("send_payment")).toContain("use hand_over with a clear description of the task");
  expect(() => provideOwnTools([{ name: "other", bridge }])).toThrow("hand_over and other both carry out");
});
