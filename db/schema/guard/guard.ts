import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { ActorRef } from "../../../contracts/common";
import { type RuleApprovers, requesterMayDecide } from "../../../contracts/decisions/approvers";
import { verdicts } from "../../../contracts/decisions/decision";
import { type DetectorSettings, defaultPolicies, type GuardConfigPatch, type GuardRule } from "../../../contracts/guard/guard";
import type { Comparison, RuleContext } from "../../../contracts/guard/rule-conditions";
import { defaultEscalatePatterns } from "../../../contracts/tools/surface";
import { createdAt, id, moment, times } from "../../columns";
import { declareText } from "../../personal-text";
import { workspaces } from "../workspaces";

export const guardConfig = pgTable("guard_config", {
  workspaceId: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  enabled: boolean().notNull().default(true),
  defaultPolicy: text({ enum: defaultPolicies }).notNull().default("by_effect"),
  approvalTimeoutSeconds: integer().notNull().default(1_800),
  /** Words in tool names that make a tool reachable only through the delegate. */
  escalatePatterns: jsonb()
    .$type<string[]>()
    .notNull()
    .default([...defaultEscalatePatterns]),
  /** Counts every change of the workspace's grants. */
  grantsVersion: integer().notNull().default(0),
  /** Overrides of detectors, by detector id. */
  detectors: jsonb().$type<DetectorSettings>().notNull().default({}),
  /** Patterns of tools that are always denied. */
  deniedTools: jsonb().$type<string[]>().notNull().default([]),
  /** Globs of paths that count as sensitive. */
  sensitivePaths: jsonb().$type<string[]>().notNull().default([]),
  /** Names, `*.name` or addresses, each with or without `:port`. */
  allowedHosts: jsonb().$type<string[]>().notNull().default([]),
  /** Whether a person may decide a call that they submitted. */
  requesterMayDecide: text({ enum: requesterMayDecide }).notNull().default("not_critical"),
  /** Number of the newest version; every save of config or rules makes one. */
  policyVersion: integer().notNull().default(1),
  /** SHA-256 of the policy file's rules in the newest version; absent without a file. */
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
    /** Eligible approvers of the rule; absent: everybody who decides approvals. */
    approvers: jsonb().$type<RuleApprovers>(),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [index().on(table.workspaceId, table.priority)],
);

/** A version of the policy: whole, or the rules that differ from the base version. */
export type PolicySnapshot = {
  config: Required<GuardConfigPatch>;
  rules: GuardRule[];
  /** Ids of rules that the base version has and this version lacks. */
  removed?: string[];
  /** Rules of the policy file at that time; absent in versions without a file. */
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
    /** Version of the whole snapshot that this version differs from; null for a whole one. */
    baseVersion: integer(),
    /** Number of rules; null in whole versions that are older than this column. */
    ruleCount: integer(),
    summary: text().notNull(),
    actor: jsonb().$type<ActorRef>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.version] })],
);

export const guardText = declareText({
  stays: [guardConfig, guardRules, guardVersions],
});
