import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { AppError } from "@/server/platform/errors";
import { toolContext } from "@/server/testing/tool-context";
import { enableTool } from "./enable-tool";

test("the name that the model sends is enabled, and the sentence handed on", async () => {
  const asked: string[] = [];
  const disclosure = {
    enable: async (name: string) => {
      asked.push(name);
      return `Tool '${name}' is now active.`;
    },
  };
  const spellings: JsonObject[] = [{ toolName: " fs__read " }, { tool_name: "fs__read" }, { name: "fs__read" }];
  for (const args of spellings) {
    const parsed = enableTool.parse(args);
    if (!parsed.ok) throw new Error(parsed.message);
    expect(await enableTool.run(parsed.value, toolContext({ disclosure }))).toBe("Tool 'fs__read' is now active.");
  }
  expect(asked).toEqual(["fs__read", "fs__read", "fs__read"]);
});

test("a refusal reaches the model as it is", async () => {
  const disclosure = { enable: () => Promise.reject(new AppError("not_found", "Tool 'x' is not available to this agent.")) };
  await expect(enableTool.run({ toolName: "x" }, toolContext({ disclosure }))).rejects.toThrow("Tool 'x' is not available to this agent.");
});

test("it is in every agent's set, and its effect is seen by the next step only", () => {
  expect(enableTool).toMatchObject({ alwaysOn: true, concurrencySafe: false, effect: "read", needs: ["disclosure"] });
});
