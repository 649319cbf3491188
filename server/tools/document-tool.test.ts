import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import type { ToolTier } from "@/contracts/tools/tools";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { builtinTools as shipped } from "@/server/testing/builtin-tools";
import { submitCalls, useStage } from "@/server/testing/stage";
import { provideBuiltinTools } from "./builtin-tools";
import { defineTool } from "./define-tool";
import { listConversationTools } from "./list-conversation-tools";
import { syncTools } from "./sync-tools";
import type { Disclosure } from "./tool-traits";

const stage = useStage();

const probe = (name: string, disclosure: Disclosure = {}, tier: ToolTier = "core") =>
  defineTool({
    name,
    title: "Probe",
    description: "Moves a lever to a height.",
    family: "probe",
    tier,
    effect: "read",
    needs: [],
    disclosure: { documentation: "Move it slowly, because it is old.", ...disclosure },
    names: { aliases: [`${name}_lever`] },
    input: z.object({ height: z.int().min(3).max(9).describe("In steps"), side: z.enum(["left", "right"]).default("left") }),
    execute: async ({ height }) => `at ${height}`,
  });

const own = [
  probe("careful", { needsInfo: true }, "extension"),
  probe("last_one", { guidance: { text: "Last words.", place: "last" } }),
  probe("first_one", { guidance: { text: "First words.", place: "first" } }),
  probe("second_one", { guidance: { text: "First words.", place: "first" } }),
  probe("normal_one", { guidance: { text: "Usual words.", place: "normal" } }),
];

beforeEach(async () => {
  provideBuiltinTools([...shipped, ...own]);
  await db().transaction((tx) => syncTools(tx, { workspaceId: stage.built.workspace.id, mcpServerId: null }, [...shipped, ...own]));
});
afterEach(() => provideBuiltinTools(shipped));

const contents = async (...calls: Parameters<typeof submitCalls>[1]) =>
  (await submitCalls(stage, calls)).calls.map(({ content }) => content);

const carried = (toolName: string, args: JsonObject): [string, JsonObject] => ["tool_call", { toolName, arguments: args }];

test("a carried call of a tool that needs info is refused until its documentation was read in this conversation", async () => {
  const [refused] = await contents(carried("careful", { height: 5 }));
  expect(refused).toBe(
    'careful was not run. Read its documentation first: call info or tool_describe with toolName "careful". Then issue this call in your next response.',
  );
  const [read] = await contents(["tool_call", { toolName: "info", arguments: { toolName: "careful" } }]);
  for (const words of [
    "Move it slowly, because it is old.",
    "- height (required, integer, at least 3, at most 9): In steps",
    '- side (optional, string, one of left, right, default "left")',
    'Example: {"name":"careful","arguments":{"height":3}}',
    "Other names: careful_lever",
  ])
    expect(read).toContain(words);
  expect(await contents(carried("careful", { height: 5 }))).toEqual(["at 5"]);
});

test("the short description counts as read, too, and a tool that nobody knows is refused", async () => {
  await contents(["tool_describe", { toolName: "careful" }]);
  expect(await contents(carried("careful_lever", { height: 4 }))).toEqual(["at 4"]);
  const [unknown] = await contents(["tool_call", { toolName: "info", arguments: { toolName: "nothing_like_it" } }]);
  expect(unknown).toContain("is not available to this agent");
});

test("guidance of tools stands once in the hints: first, as usual, last", async () => {
  const { hints } = await listConversationTools(authorize(stage.built.agentKey, "tools:read"), stage.conversationId, "handrail");
  expect(hints.match(/First words\.|Usual words\.|Last words\./g)).toEqual(["First words.", "Usual words.", "Last words."]);
  expect(hints.startsWith("First words.")).toBe(true);
  expect(hints.endsWith("Last words.")).toBe(true);
});

test("multi_edit loses no step where the model sees its schema, and a carried call of it needs its documentation first", async () => {
  const edit = { path: "a.txt", edits: [{ oldText: "one", newText: "two" }] };
  await contents(["write_file", { path: "a.txt", content: "one one" }]);
  expect(await contents(carried("multi_edit", edit))).toEqual([
    expect.stringContaining("multi_edit was not run. Read its documentation first"),
  ]);
  await contents(["enable_tool", { toolName: "multi_edit" }]);
  expect(await contents(["multi_edit", { ...edit, edits: [{ oldText: "one one", newText: "two" }] }])).toEqual([
    expect.stringContaining("Changed a.txt: 1 of 1 edit applied"),
  ]);
  expect(await contents(["tool_call", { toolName: "info", arguments: { toolName: "multi_edit" } }])).toEqual([
    expect.stringContaining("best_effort: failing edits are left out"),
  ]);
});

test.each(["browser_use", "cron_job", "patch", "process", "render_docx", "render_pdf", "render_pptx", "render_xlsx", "sql_query"])(
  "%s has documentation that fits into one result and takes its own argument names",
  (name) => {
    const tool = shipped.find((each) => each.name === name);
    const text = tool?.documentation ?? "";
    expect(text.length).toBeGreaterThan(500);
    expect(text.length).toBeLessThan(4_000);
    const examples = [...text.matchAll(/\{"(?:action|dataSource)":.*?\}(?=[. ]|$)/gm)].map(([example]) => JSON.parse(example));
    for (const example of examples) expect(tool?.parse(example)).toMatchObject({ ok: true });
  },
);
