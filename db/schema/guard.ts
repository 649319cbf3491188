import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { ActorRef } from "../../contracts/common";
import { verdicts } from "../../contracts/decision";
import { type DetectorSettings, defaultPolicies, type GuardConfigPatch, type GuardRule } from "../../contracts/guard";
import type { Comparison, RuleContext } from "../../contracts/rule-conditions";
import { defaultEscalatePatterns } from "../../contracts/surface";
import { createdAt, id, moment, times } from "../columns";
import { workspaces } from "./workspaces";

export const guardConfig = pgTable("guard_config", {
  workspaceId: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  enabled: boolean().notNull().default(true),
  defaultPolicy: text({ enum: defaultPolicies }).notNull().default("by_effect"),
  approvalTimeoutSeconds: integer().notNull().default(1_800),
  /** Words of tool names that put a tool behind core_execute. */
  escalatePatterns: jsonb()
    .$type<string[]>()
    .notNull()
    .default([...defaultEscalatePatterns]),
  /** Counts every change of the workspace's grants. */
  grantsVersion: integer().notNull().default(0),
  /** What admins set for detectors, by detector id. */
  detectors: jsonb().$type<DetectorSettings>().notNull().default({}),
  /** Tool patterns. */
  deniedTools: jsonb().$type<string[]>().notNull().default([]),
  /** Globs. */
  sensitivePaths: jsonb().$type<string[]>().notNull().default([]),
  /** Number of the newest version; every save of config or rules makes one. */
  policyVersion: integer().notNull().default(1),
  /** SHA-256 of the policy file's rules that the newest version was made with; absent without a file. */
  policyFileDigest: text(),
  updatedAt: times.updatedAt,
});

export const guardRules = pgTable(
  "guard_rules",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    name: text().notNull(),
    tool: text().notNull(),
    parameter: text(),
    pattern: text(),
    excludePattern: text(),
    comparisons: jsonb().$type<Comparison[]>().notNull().default([]),
    context: jsonb().$type<RuleContext>(),
    verdict: text({ enum: verdicts }).notNull(),
    priority: integer().notNull().default(100),
    enabled: boolean().notNull().default(true),
    reason: text().notNull().default(""),
    expiresAt: moment(),
    /** Ids of detectors. */
    relaxes: jsonb().$type<string[]>().notNull().default([]),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [index().on(table.workspaceId, table.priority)],
);

/** The whole policy as it stood at each version. */
export type PolicySnapshot = {
  config: Required<GuardConfigPatch>;
  rules: GuardRule[];
  /** Rules of the policy file then; absent in versions without one. */
  fileRules?: GuardRule[];
};

export const guardVersions = pgTable(
  "guard_versions",
  {
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    version: integer().notNull(),
    snapshot: jsonb().$type<PolicySnapshot>().notNull(),
    summary: text().notNull(),
    actor: jsonb().$type<ActorRef>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.version] })],
);
