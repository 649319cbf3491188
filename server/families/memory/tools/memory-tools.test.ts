import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import type { CallScope } from "@/server/capabilities/define-capability";
import { readConversation } from "@/server/conversations/find-conversation";
import { runTool } from "@/server/testing/run-tool";
import { useStage } from "@/server/testing/stage";
import type { AnyTool } from "@/server/tools/define-tool";
import { memory } from "../memory-capability";
import { factListContradictions, factProbe, rememberFact } from "./fact-tools";
import { memoryEdit, memoryList, memoryRead, memorySearch, memoryWrite } from "./file-tools";
import { memoryRecall, searchMemory } from "./recall-tools";
import { forgetStructured, recallStructured, remember, rememberStructured } from "./remember-tools";

const stage = useStage();
const callIn = async (conversationId: string, tool: AnyTool, args: JsonObject) => {
  const scope = { conversationId, workspaceId: stage.built.workspace.id } as unknown as CallScope;
  return (await runTool(tool, args, { memory: memory.create(scope) })) as JsonObject;
};
const call = (tool: AnyTool, args: JsonObject) => callIn(stage.conversationId, tool, args);
let agentId = "";
beforeEach(async () => {
  agentId = (await readConversation(stage.conversationId))?.agentId ?? "";
});

test.each([
  [memoryList, ["agentId", "filenamePrefix"], []],
  [memoryRead, ["agentId", "filename"], ["filename"]],
  [memoryWrite, ["agentId", "filename", "content", "scope"], ["filename", "content"]],
  [memoryEdit, ["agentId", "filename", "oldText", "newText", "replaceAll", "scope"], ["filename", "oldText", "newText"]],
  [memorySearch, ["agentId", "query", "scope", "limit"], ["query"]],
  [remember, ["agentId", "content", "source"], ["content"]],
  [rememberStructured, ["agentId", "type", "key", "content"], ["type", "key", "content"]],
  [recallStructured, ["agentId", "type", "keyword"], []],
  [forgetStructured, ["agentId", "type", "key"], ["type", "key"]],
  [memoryRecall, ["query"], []],
  [searchMemory, ["query", "mode", "k", "agent"], ["query"]],
  [rememberFact, ["agentId", "subject", "content", "source", "replaces"], ["subject", "content"]],
  [factProbe, ["agentId", "query"], []],
  [factListContradictions, ["agentId"], []],
] satisfies [AnyTool, string[], string[]][])("%o takes the parameters that models know", (tool, names, required) => {
  const schema = tool.inputSchema as { properties: object; required?: string[] };
  expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(names));
  expect([...(schema.required ?? [])].sort()).toEqual([...required].sort());
});

test("every answer has the keys that models know", async () => {
  await call(memoryWrite, { filename: "MEMORY.md", content: "# Memory\n\n- Likes trains." });
  const edited = await call(memoryEdit, { filename: "MEMORY.md", oldText: "trains", newText: "night trains" });
  expect(Object.keys(edited)).toEqual(expect.arrayContaining(["filename", "replacements", "fileSizeAfter", "message", "scope"]));
  const summary = { filename: "MEMORY.md", enabled: false, fileSize: expect.any(Number), updateTime: expect.any(String) };
  expect(await call(memoryList, {})).toEqual({ agentId, count: 1, files: [summary] });
  expect(await call(memoryRead, { filename: "MEMORY.md" })).toEqual({ agentId, ...summary, content: "# Memory\n\n- Likes night trains." });
  const hit = { filename: "MEMORY.md", lineNumber: 3, snippet: "- Likes night trains.", score: expect.any(Number) };
  const hint = expect.any(String);
  expect(await call(memorySearch, { query: "train" })).toEqual({ query: "train", scope: null, totalHits: 1, hits: [hit], hint });
  expect(await call(remember, { content: "x" })).toEqual({ success: true, file: "MEMORY.md", message: "Remembered." });
  const named = { success: true, type: "user", key: "tea", message: expect.any(String) };
  expect(await call(rememberStructured, { type: "user", key: "tea", content: "Green" })).toEqual(named);
  const entry = { type: "user", key: "tea", content: "Green", updateTime: expect.any(String) };
  expect(await call(recallStructured, {})).toEqual({ agentId, count: 1, entries: [entry] });
  const found = { query: "green", mode: "fts", count: 1, results: [{ source: "user/tea", text: "Green", score: expect.any(Number) }] };
  expect(await call(searchMemory, { query: "green" })).toEqual(found);
  expect(await call(forgetStructured, { type: "user", key: "tea" })).toEqual(named);
});

describe("a call is refused with a sentence that says how to mend it", () => {
  test.each([
    [memoryRead, { filename: "../secret.md" }, "filename"],
    [memoryRead, { filename: "/etc/passwd.md" }, "filename"],
    [memoryRead, { filename: "notes.txt" }, ".md"],
    [memoryRead, { filename: "none.md" }, "There is no memory file none.md"],
    [memoryEdit, { filename: "a.md", oldText: "", newText: "x" }, "needs the text to replace"],
    [memorySearch, { query: "x".repeat(65) }, "needs 2 to 64 characters"],
    [memorySearch, { query: "words", limit: 31 }, "limit"],
    [memorySearch, { query: "words", scope: "MINE" }, "scope"],
    [remember, { content: " " }, "needs a text"],
    [remember, { content: "x".repeat(4_001) }, "at most 4,000 characters"],
    [rememberStructured, { key: "a", content: "b" }, "missing required param: type"],
    [rememberStructured, { type: "other", key: "a", content: "b" }, "type"],
    [rememberStructured, { type: "user", key: " ", content: "b" }, "needs a name"],
    [forgetStructured, { type: "user", key: "none" }, "Nothing of this person is remembered as user/none"],
    [searchMemory, { query: " " }, "needs words"],
    [searchMemory, { query: "a", mode: "guess" }, "mode"],
    [searchMemory, { query: "a", k: 21 }, "k"],
    [searchMemory, { query: "a", mode: "hybrid" }, "mode hybrid needs a model for embeddings, and none is set up. Use auto or fts."],
    [searchMemory, { query: "a", agent: "another" }, "own memory only"],
    [rememberFact, { subject: "a", content: "" }, "needs a statement"],
    [rememberFact, { subject: "a", content: "b", replaces: "one" }, "must be the id of a fact"],
  ] satisfies [AnyTool, JsonObject, string][])("%o with %j", async (tool, args, sentence) => {
    await expect(call(tool, args)).rejects.toThrow(sentence);
  });

  test("a look-up that fails says so", async () => {
    const gone = "00000000-0000-7000-8000-000000000000";
    for (const query of ["", "trains"]) {
      await expect(callIn(gone, memoryRecall, { query })).rejects.toThrow(
        "memory lookup failed: The agent of this conversation does not exist any more.",
      );
    }
  });
});
