import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "@/contracts/common";
import { conversationNotes } from "@/db/schema";
import type { CallScope } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";
import { buildConversation, buildWorkspace } from "@/server/testing/builders";
import { runTool } from "@/server/testing/run-tool";
import { useTestDatabase } from "@/server/testing/test-database";
import { isRichResult } from "@/server/tools/define-tool";
import { type NotesCapability, notes } from "../notes";
import { workListContext } from "../read-work-list";
import { scratchpad } from "./scratchpad";
import { todo } from "./todo";

useTestDatabase();

let given: { notes: NotesCapability };
let conversationId: string;
beforeEach(async () => {
  const { agentKey } = await buildWorkspace();
  conversationId = (await buildConversation(agentKey)).id;
  given = { notes: notes.create({ conversationId } as CallScope) };
});

const pad = (args: JsonObject) => runTool(scratchpad, args, given);
const list = async (args: JsonObject): Promise<JsonObject> => {
  const result = await runTool(todo, args, given);
  return (isRichResult(result) ? JSON.parse(result.text) : result) as JsonObject;
};
const a = { id: "a", content: "Look", status: "completed" };
const b = { id: "b", content: "Write", status: "in_progress" };

describe("the scratchpad", () => {
  test("keeps texts by key between turns, and each conversation has its own", async () => {
    expect(await pad({})).toBe("The scratchpad is empty.");
    await pad({ action: "set", key: "plan", value: "one\ntwo" });
    await pad({ action: "set", key: "budget", value: "12" });
    expect(await pad({ action: "get", key: "plan" })).toBe("one\ntwo");
    expect(await pad({ action: "list" })).toBe("budget\nplan");
    const other = await buildConversation((await buildWorkspace()).agentKey);
    expect(await runTool(scratchpad, {}, { notes: notes.create({ conversationId: other.id } as CallScope) })).toBe(
      "The scratchpad is empty.",
    );
    expect(await pad({ action: "delete", key: "plan" })).toBe("Deleted plan.");
    await expect(pad({ action: "get", key: "plan" })).rejects.toThrow("There is no key plan");
    await pad({ action: "clear" });
    expect(await pad({ action: "list" })).toBe("The scratchpad is empty.");
  });

  test("refuses reserved keys, missing arguments and more than it holds", async () => {
    await expect(pad({ action: "set", key: "_own", value: "x" })).rejects.toThrow("the key _own is reserved");
    await expect(pad({ action: "set", key: "x" })).rejects.toThrow("set needs value");
    await expect(pad({ action: "get" })).rejects.toThrow("get needs key");
    await db()
      .insert(conversationNotes)
      .values(Array.from({ length: 100 }, (_, n) => ({ conversationId, area: "scratchpad" as const, key: `k${n}`, value: "v" })));
    await expect(pad({ action: "set", key: "more", value: "x" })).rejects.toThrow("100 keys already");
  });
});

describe("the task list", () => {
  test("is replaced; of two items with one id the last counts, and gaps are filled", async () => {
    expect(await list({ todos: [{ id: "a", content: "First" }, b, a, {}, { id: 7, content: " ", status: "soon" }] })).toEqual({
      todos: [
        b,
        a,
        { id: "?", content: "(no description)", status: "pending" },
        { id: "7", content: "(no description)", status: "pending" },
      ],
      summary: { total: 4, pending: 2, in_progress: 1, completed: 1, cancelled: 0 },
    });
    expect(await list({ todos: [] })).toMatchObject({ todos: [], summary: { total: 0 } });
  });

  test("is merged: items with a known id change, the others are appended", async () => {
    await list({ todos: [a, b] });
    const merged = await list({
      todos: [
        { id: "b", status: "completed" },
        { id: "c", content: "Send" },
      ],
      merge: true,
    });
    expect(merged.todos).toEqual([a, { ...b, status: "completed" }, { id: "c", content: "Send", status: "pending" }]);
  });

  test("is read without todos, with its open items as lines, and nothing says that the context was compressed", async () => {
    await list({ todos: [a, b, { id: "c", content: "Send" }] });
    expect((await list({})).open).toBe("- [>] b. Write (in_progress)\n- [ ] c. Send (pending)");
    await list({ todos: [a] });
    expect(await list({})).not.toHaveProperty("open");
  });

  test("loses no item when two calls merge at once", async () => {
    await Promise.all(["c", "d", "e", "f"].map((id) => list({ todos: [{ id, content: id }], merge: true })));
    expect((await list({})).summary).toMatchObject({ total: 4 });
  });

  test("says what is wrong with a list that is too long or cannot be read", async () => {
    await list({ todos: Array.from({ length: 200 }, (_, n) => ({ id: `t${n}`, content: "x" })) });
    expect(await list({ todos: [{ id: "more" }], merge: true })).toMatchObject({ error: "todo_invalid_args", todos: [] });
    expect((await list({})).summary).toMatchObject({ total: 200 });
    await db()
      .update(conversationNotes)
      .set({ value: { broken: true } as Json })
      .where(eq(conversationNotes.conversationId, conversationId));
    expect(await list({})).toMatchObject({ error: "todo_store_corrupt" });
    expect(await list({ todos: [a] })).toMatchObject({ todos: [a] });
  });
});

test("open items are told when a conversation is summarised, and done ones are not", async () => {
  expect(await workListContext(conversationId)).toBe("");
  await list({ todos: [a, b] });
  expect(await workListContext(conversationId)).toBe(
    "[Your active task list was preserved across context compression]\n- [>] b. Write (in_progress)",
  );
});
