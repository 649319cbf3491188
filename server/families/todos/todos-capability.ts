import "server-only";
import { and, asc, eq } from "drizzle-orm";
import { todoItems } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { type KnownContact, loadKnownContacts } from "@/server/contacts/known-contacts";
import { db } from "@/server/platform/database/database";
import { databaseNow } from "@/server/platform/database/database-time";
import { AppError } from "@/server/platform/errors";
import { insertTodo, markDone } from "./change-todos";
import type { RecurringRow, TodoRow } from "./present-todo";
import { insertRecurring } from "./recurring-todos";
import { momentOf, readRepeat } from "./repeat";

type Entry = Pick<TodoRow, "content" | "people" | "chatId">;
type Rhythm = { next: string; repeat: string; timezone: string };

/** The to-dos of the workspace, for its agents. */
export type TodosCapability = {
  contacts: () => Promise<KnownContact[]>;
  /** Lists open to-dos, oldest first. */
  open: () => Promise<TodoRow[]>;
  counts: () => Promise<{ open: number; done: number }>;
  add: (entry: Entry) => Promise<TodoRow>;
  /** @throws AppError `invalid` for a time in the past, or a rhythm that is none */
  addRecurring: (entry: Entry & Rhythm) => Promise<RecurringRow>;
  /** @returns null when somebody was faster */
  complete: (id: string) => Promise<TodoRow | null>;
};

export const todos = defineCapability({
  name: "todos",
  title: "To-dos of the workspace",
  isOfConversation: false,
  create: ({ workspaceId, conversationId, actor }): TodosCapability => {
    const isOf = (status: "open" | "done") => and(eq(todoItems.workspaceId, workspaceId), eq(todoItems.status, status));
    return {
      contacts: () => loadKnownContacts(workspaceId),
      open: () => db().select().from(todoItems).where(isOf("open")).orderBy(asc(todoItems.id)),
      counts: async () => ({ open: await db().$count(todoItems, isOf("open")), done: await db().$count(todoItems, isOf("done")) }),
      add: (entry) => db().transaction((tx) => insertTodo(tx, { ...entry, workspaceId, conversationId, by: actor })),
      addRecurring: ({ next, repeat, timezone, ...entry }) =>
        db().transaction(async (tx) => {
          const rhythm = readRepeat(repeat);
          const nextAt = await momentOf(tx, next, timezone);
          if (nextAt <= (await databaseNow(tx))) {
            throw new AppError("invalid", `invalid next: ${next} in ${timezone} is over. Send a time in the future.`);
          }
          return insertRecurring(tx, { ...entry, ...rhythm, timezone, nextAt, workspaceId, by: actor });
        }),
      complete: (id) => db().transaction((tx) => markDone(tx, workspaceId, id, actor)),
    };
  },
});
