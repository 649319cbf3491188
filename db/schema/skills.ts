import { boolean, customType, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import type { ActorRef } from "../../contracts/common";
import { type SkillFinding, skillKinds, skillLives, skillReviews, skillSources } from "../../contracts/skills/skills";
import { createdAt, id, moment, times } from "../columns";
import { declareText } from "../personal-text";
import { agents } from "./agents";
import { conversations } from "./conversations";
import { workspaces } from "./workspaces";

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

/** Skills of a workspace. Their files are those of the content version. */
export const skills = pgTable(
  "skills",
  {
    id: id(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    name: text().notNull(),
    kind: text({ enum: skillKinds }).notNull(),
    source: text({ enum: skillSources }).notNull(),
    sourceNote: text().notNull().default(""),
    /** SKILL.md of the content version. */
    text: text().notNull(),
    findings: jsonb().$type<SkillFinding[]>().notNull().default([]),
    /** A person has seen the findings of the severity `high`. */
    findingsAccepted: boolean().notNull().default(false),
    /** Files of the content version, with their bytes together. */
    fileCount: integer().notNull(),
    byteCount: integer().notNull(),
    /** Extensions of its script files, without dots. */
    scriptKinds: jsonb().$type<string[]>().notNull().default([]),
    enabled: boolean().notNull().default(true),
    review: text({ enum: skillReviews }).notNull().default("approved"),
    /** Hosts that its scripts may reach. */
    hosts: jsonb().$type<string[]>().notNull().default([]),
    lessons: text().notNull().default(""),
    isPinned: boolean().notNull().default(false),
    life: text({ enum: skillLives }).notNull().default("active"),
    uses: integer().notNull().default(0),
    lastUsedAt: moment(),
    contentVersion: integer().notNull().default(1),
    version: integer().notNull().default(1),
    ...times,
  },
  (table) => [unique().on(table.workspaceId, table.name)],
);

/** Bytes of files by their hash: versions of a skill share what did not change. */
export const skillContents = pgTable(
  "skill_contents",
  {
    skillId: uuid()
      .notNull()
      .references(() => skills.id, { onDelete: "cascade" }),
    /** Not the name of a blob: the bytes stand in `skill_contents`. */
    sha256: text("content_hash").notNull(),
    content: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.skillId, table.sha256] })],
);

/** Contents that a skill had, each with its author. */
export const skillVersions = pgTable(
  "skill_versions",
  {
    skillId: uuid()
      .notNull()
      .references(() => skills.id, { onDelete: "cascade" }),
    version: integer().notNull(),
    summary: text().notNull(),
    author: jsonb().$type<ActorRef>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.skillId, table.version] })],
);

/** Files of each version. */
export const skillFiles = pgTable(
  "skill_files",
  {
    skillId: uuid().notNull(),
    version: integer().notNull(),
    path: text().notNull(),
    bytes: integer().notNull(),
    /** Not the name of a blob: the bytes stand in `skill_contents`. */
    sha256: text("content_hash").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.skillId, table.version, table.path] }),
    foreignKey({ columns: [table.skillId, table.version], foreignColumns: [skillVersions.skillId, skillVersions.version] }).onDelete(
      "cascade",
    ),
  ],
);

/** Secrets that a skill's scripts get as variables. */
export const skillSecrets = pgTable(
  "skill_secrets",
  {
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    skillId: uuid()
      .notNull()
      .references(() => skills.id, { onDelete: "cascade" }),
    name: text().notNull(),
    valueSealed: text().notNull(),
    ...times,
  },
  (table) => [primaryKey({ columns: [table.skillId, table.name] }), index().on(table.workspaceId)],
);

/** Skills that an agent has; without one: all ready skills of the workspace. */
export const agentSkills = pgTable(
  "agent_skills",
  {
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    skillId: uuid()
      .notNull()
      .references(() => skills.id, { onDelete: "cascade" }),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.skillId] }), index().on(table.skillId)],
);

/** Skills that a conversation loaded or ran. */
export const conversationSkills = pgTable(
  "conversation_skills",
  {
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    skillId: uuid()
      .notNull()
      .references(() => skills.id, { onDelete: "cascade" }),
    isLoaded: boolean().notNull().default(false),
    uses: integer().notNull().default(1),
    lastUsedAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.skillId] }), index().on(table.skillId, table.lastUsedAt)],
);

export const skillsText = declareText({
  stays: [skills, skillContents, skillVersions, skillFiles, skillSecrets, agentSkills],
});
