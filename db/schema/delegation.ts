import { boolean, integer, jsonb, pgTable, uuid } from "drizzle-orm/pg-core";
import type { AcpAgent } from "../../contracts/agents/delegation";
import { times } from "../columns";
import { declareText } from "../personal-text";
import { workspaces } from "./workspaces";

/** A workspace's settings of agents that hand work to agents; absent while nobody has changed the defaults. */
export const delegationSettings = pgTable("delegation_settings", {
  workspaceId: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  paused: boolean().notNull().default(false),
  acpAgents: jsonb().$type<AcpAgent[]>().notNull().default([]),
  version: integer().notNull().default(0),
  ...times,
});

export const delegationText = declareText({
  stays: [delegationSettings],
});
