import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { ActorRef } from "../../contracts/common";
import { repeatUnits, todoItemStatuses } from "../../contracts/conversations/todos";
import { createdAt, id, moment } from "../columns";
import { declareText } from "../personal-text";
import { conversations } from "./conversations";
import { workspaces } from "./workspaces";

const workspaceId = () =>
  uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" });

/** To-dos that come again and again. */
export const recurringTodos = pgTable(
  "recurring_todos",
  {
    id: id(),
    workspaceId: workspaceId(),
    content: text().notNull(),
    people: jsonb().$type<string[]>().notNull(),
    chatId: text(),
    repeatUnit: text({ enum: repeatUnits }).notNull(),
    repeatEvery: integer().notNull(),
    timezone: text().notNull(),
    nextAt: moment().notNull(),
    createdBy: jsonb().$type<ActorRef>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.workspaceId, table.id), index().on(table.nextAt)],
);

/** The to-dos of a workspace. */
export const todoItems = pgTable(
  "todo_items",
  {
    id: id(),
    workspaceId: workspaceId(),
    status: text({ enum: todoItemStatuses }).notNull().default("open"),
    content: text().notNull(),
    people: jsonb().$type<string[]>().notNull(),
    /** The chat in which the to-do came up, such as `tg:-1001`. */
    chatId: text(),
    conversationId: uuid().references(() => conversations.id, { onDelete: "set null" }),
    recurringId: uuid().references(() => recurringTodos.id, { onDelete: "set null" }),
    createdBy: jsonb().$type<ActorRef>().notNull(),
    doneBy: jsonb().$type<ActorRef>(),
    doneAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.workspaceId, table.status, table.id), index().on(table.recurringId), index().on(table.conversationId)],
);

export const todosText = declareText({
  goes: [
    { table: todoItems, conversation: todoItems.conversationId, maker: todoItems.createdBy },
    { table: recurringTodos, maker: recurringTodos.createdBy },
  ],
});
