import { expect, test } from "vitest";
import { z } from "zod";
import { guardRules } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { submitCalls, useStage } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";

const stage = useStage();

test("a deny rule holds for a tool of an MCP server however the model spells its name", async () => {
  const workspaceId = stage.built.workspace.id;
  const common = { title: "Delete", description: "Deletes", family: "probe", tier: "core", effect: "read", needs: [] } as const;
  const remove = defineTool({
    ...common,
    ...{ name: "files__delete_item", input: z.object({}) },
    execute: async () => {
      stage.log.push("deleted");
      return "deleted";
    },
  });
  await buildTools(workspaceId, [remove], { alias: "files" });
  const values = {
    workspaceId,
    name: "No deletion",
    tool: "files__delete_item",
    verdict: "deny" as const,
    priority: 1,
    reason: "Not here.",
  };
  await db().insert(guardRules).values(values);
  await db().transaction((tx) => bumpConfigVersion(tx, workspaceId));
  const spellings = [
    "files__delete_item",
    "files.delete_item",
    "Files__Delete_Item",
    "filesDeleteItem",
    "files-delete-item_tool",
    "functions.files__delete_item",
    "default_api:files__delete_item",
  ];
  const { calls } = await submitCalls(
    stage,
    spellings.map((name) => [name, {}]),
  );
  expect(calls.map(({ requestedName, status }) => [requestedName, status])).toEqual(spellings.map((name) => [name, "denied"]));
  expect(stage.log).toEqual([]);
});
