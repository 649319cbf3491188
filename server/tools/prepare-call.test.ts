import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { db } from "@/server/platform/database/database";
import { builtinTools as shipped } from "@/server/testing/builtin-tools";
import { submitCalls, useStage } from "@/server/testing/stage";
import { provideBuiltinTools } from "./builtin-tools";
import { defineTool } from "./define-tool";
import { syncTools } from "./sync-tools";

const stage = useStage();

const probe = (name: string, availability?: () => Promise<string | null>) =>
  defineTool({
    name,
    title: "Lever",
    description: "Moves a lever.",
    family: "probe",
    tier: "extension",
    effect: "read",
    needs: [],
    disclosure: { availability },
    input: z.object({}),
    execute: async () => {
      stage.log.push(name);
      return "moved";
    },
  });

const own = [probe("lever"), probe("broken_lever", async () => "The lever is not installed.")];

beforeEach(async () => {
  provideBuiltinTools([...shipped, ...own]);
  await db().transaction((tx) => syncTools(tx, { workspaceId: stage.built.workspace.id, mcpServerId: null }, [...shipped, ...own]));
});
afterEach(() => provideBuiltinTools(shipped));

const contentOf = async (name: string, args = {}) => (await submitCalls(stage, [[name, args]])).calls[0]?.content;

test("an extension tool that is called before it is enabled does not run, and the refusal says how to enable it", async () => {
  expect(await contentOf("lever")).toBe(
    "Tool 'lever' is an extension tool that is not active yet. Call enable_tool with toolName \"lever\", then issue this call in your next response.",
  );
  expect(stage.log).toEqual([]);
  expect(await contentOf("enable_tool", { toolName: "lever" })).toContain("is now active");
  expect(await contentOf("lever")).toBe("moved");
});

test("an extension tool that cannot run says why, and does not send the model to enable_tool, which would refuse", async () => {
  const why = "broken_lever cannot be called right now: The lever is not installed. Go on without it, or try again later.";
  expect(await contentOf("broken_lever")).toBe(why);
  expect(await contentOf("enable_tool", { toolName: "broken_lever" })).toContain("cannot be called right now: The lever is not installed.");
});
