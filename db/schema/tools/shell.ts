import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { codeLanguages, type PackageRegistries, type ProgramPlace, processStatuses } from "../../../contracts/tools/shell";
import { createdAt, id, moment, times } from "../../columns";
import { declareText } from "../../personal-text";
import { conversations } from "../conversations";
import { workspaces } from "../workspaces";

/** The working folder and the exported variables with which the next command of a conversation starts. */
export const shellSessions = pgTable("shell_sessions", {
  conversationId: uuid()
    .primaryKey()
    .references(() => conversations.id, { onDelete: "cascade" }),
  /** Relative to the conversation's folder. */
  folder: text().notNull(),
  /** Names and values as JSON, sealed because values may be secrets; null without variables. */
  sealedEnvironment: text(),
  ...times,
});

/** Processes that outlive the call that started them. */
export const processes = pgTable(
  "processes",
  {
    id: id(),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** The name that models use: `proc_` and eight hexadecimal digits. */
    name: text().notNull(),
    /** Secrets are masked. */
    command: text().notNull(),
    folder: text().notNull(),
    pty: boolean().notNull().default(false),
    /** Openings of the process for as long as it runs. Null for a process of an older version: it counts as outside of the sandbox. */
    place: jsonb().$type<ProgramPlace>(),
    status: text({ enum: processStatuses }).notNull().default("running"),
    /** 128 + n when signal n ended the process. */
    exitCode: integer(),
    /** Boot id of the replica that started the process. */
    owner: text().notNull(),
    killRequestedAt: moment(),
    /** Beginning and end of what the process printed; secrets are masked. */
    log: text().notNull().default(""),
    printedBytes: bigint({ mode: "number" }).notNull().default(0),
    startedAt: createdAt(),
    finishedAt: moment(),
  },
  (table) => [
    unique().on(table.conversationId, table.name),
    index("processes_running").on(table.owner).where(sql`${table.status} = 'running'`),
    check("processes_finished_at_the_end", sql`(${table.status} = 'running') = (${table.finishedAt} is null)`),
  ],
);

/** Settings of the shell tools, per workspace; without a row, the defaults apply. */
export const shellSettings = pgTable("shell_settings", {
  workspaceId: uuid()
    .primaryKey()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  codeLanguages: text({ enum: codeLanguages }).array().notNull().default(["shell"]),
  commandPrefix: text().notNull().default(""),
  /** Names and values as JSON, sealed because values may be secrets; null without variables. */
  sealedVariables: text(),
  registries: jsonb().$type<PackageRegistries>().notNull().default({ npm: null, pypi: null }),
  version: integer().notNull().default(1),
  ...times,
});

export const shellText = declareText({
  stays: [shellSettings],
});
