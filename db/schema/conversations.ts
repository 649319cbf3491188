import { boolean, index, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import type { ActorRef, JsonObject } from "../../contracts/common";
import { conversationOrigins } from "../../contracts/conversations";
import { createdAt, id, times } from "../columns";
import { agents } from "./agents";
import { workspaces } from "./workspaces";

/** Failures since the last success, of the same call (by digest) and of the same tool (by name); `at`: milliseconds since 1970. */
export type FailureStreaks = Record<"calls" | "tools", Record<string, { times: number; at: number }>>;

/** What of the world a call reads, changes or reaches: a path of the workspace, a host, another resource. */
export type Touch = { act: "read" | "change" | "reach"; target: string };

/** A call that a person or the policy refused. */
export type Refusal = {
  callId: string;
  tool: string;
  /** Of tool and arguments: the same call again is known by it. */
  digest: string;
  touches: Touch[];
  by: "person" | "policy";
  /** The policy's version then: what it refused counts while it is the same. */
  policyVersion: number;
  reason: string;
  /** Milliseconds since 1970. */
  at: number;
};

export const conversations = pgTable(
  "conversations",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    channel: text(),
    externalId: text(),
    origin: text({ enum: conversationOrigins }).notNull().default("chat"),
    interactive: boolean().notNull().default(true),
    metadata: jsonb().$type<JsonObject>().notNull().default({}),
    /** Calls that failed one after the other, for the loop guard; absent while nothing fails. */
    failures: jsonb().$type<FailureStreaks>(),
    /** Calls that were refused here, the oldest first; absent while none was. */
    refusals: jsonb().$type<Refusal[]>(),
    /** Has or had background jobs, so a new turn looks for their results. */
    hasJobs: boolean().notNull().default(false),
    createdBy: jsonb().$type<ActorRef>().notNull(),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.externalId), index().on(table.agentId)],
);

/** Extension tools that `enable_tool` made callable in one conversation. */
export const activations = pgTable(
  "activations",
  {
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    toolName: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.toolName] })],
);
