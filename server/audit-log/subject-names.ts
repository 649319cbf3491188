import "server-only";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import {
  agents,
  apiKeys,
  artifacts,
  authProfiles,
  contacts,
  conversations,
  dataSources,
  guardRules,
  hooks,
  memberships,
  modelProviders,
  runMessages,
  runs,
  schedules,
  topics,
  topicWatches,
  users,
  workflows,
} from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { chosenTitle, firstWords, requestWords, titleOf } from "@/server/conversations/conversation-title";
import { db } from "@/server/platform/database/database";

/** An actor who reads the audit. */
export type AuditReader = Pick<Actor, "workspaceId" | "permissions" | "agentId">;

type Named = PgTable & { id: PgColumn; workspaceId: PgColumn; name: PgColumn };

/** The table that names the subject of a noun's events. */
const tables: Record<string, Named> = {
  agent: agents,
  api_key: apiKeys,
  artifact: artifacts,
  auth_profile: authProfiles,
  channel: topics,
  channel_watch: topicWatches,
  contact: contacts,
  data_source: dataSources,
  guard_rule: guardRules,
  hook: hooks,
  model_provider: modelProviders,
  schedule: schedules,
  topic: topics,
  topic_watch: topicWatches,
  workflow: workflows,
  workflow_run: workflows,
};

type Event = { event: string; subject: string | null };
const isUuid = (text: string | null): text is string => text !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/**
 * Returns the names that the subjects of audit events have today, by subject; subjects that were removed have none. One query
 * for each kind of name on the page, whatever the number of events.
 */
export async function readSubjectNames(reader: AuditReader, events: readonly Event[]): Promise<ReadonlyMap<string, string>> {
  const subjects = events.flatMap(({ event, subject }) => (isUuid(subject) ? [{ noun: event.split(".", 1)[0] ?? "", id: subject }] : []));
  const idsOf = (...nouns: string[]) => [...new Set(subjects.filter(({ noun }) => nouns.includes(noun)).map(({ id }) => id))];
  const byNoun = Object.entries(tables).flatMap(([noun, table]) => {
    const ids = idsOf(noun);
    return ids.length > 0 ? [nameQuery(reader, table, ids)] : [];
  });
  const found = await Promise.all([
    byNoun.length > 0 ? db().execute<{ id: string; name: string }>(sql.join(byNoun, sql` union all `)) : [],
    namesOfUsers(reader, idsOf("user")),
    titlesOfConversations(reader, idsOf("conversation")),
    titlesOfRuns(reader, idsOf("run")),
  ]);
  return new Map(found.flatMap((rows) => [...rows].map(({ id, name }) => [id, name] as const)));
}

function nameQuery({ workspaceId }: AuditReader, table: Named, ids: string[]): SQL {
  return sql`select ${table.id} as id, ${table.name} as name from ${table}
    where ${table.workspaceId} = ${workspaceId} and ${inArray(table.id, ids)}`;
}

async function namesOfUsers({ workspaceId }: AuditReader, ids: string[]) {
  if (ids.length === 0) return [];
  return db()
    .select({ id: users.id, name: users.name })
    .from(users)
    .innerJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.workspaceId, workspaceId)))
    .where(inArray(users.id, ids));
}

/** Titles are words of conversations, which a reader sees with `turns:read` and a key of one agent for that agent only. */
const isForbidden = ({ permissions }: AuditReader) => !permissions.has("turns:read");

async function titlesOfConversations(reader: AuditReader, ids: string[]) {
  if (ids.length === 0 || isForbidden(reader)) return [];
  const rows = await db()
    .select({ id: conversations.id, chosen: chosenTitle, words: sql<string | null>`(${firstWords()})` })
    .from(conversations)
    .where(
      and(
        eq(conversations.workspaceId, reader.workspaceId),
        reader.agentId ? eq(conversations.agentId, reader.agentId) : undefined,
        inArray(conversations.id, ids),
      ),
    );
  return rows.flatMap(({ id, chosen, words }) => (chosen || words ? [{ id, name: chosen ?? titleOf(words ?? "") }] : []));
}

/** A run is named by its request. */
async function titlesOfRuns(reader: AuditReader, ids: string[]) {
  if (ids.length === 0 || isForbidden(reader)) return [];
  const rows = await db()
    .select({ id: runs.id, words: requestWords })
    .from(runs)
    .innerJoin(runMessages, and(eq(runMessages.runId, runs.id), eq(runMessages.position, 0)))
    .where(
      and(eq(runs.workspaceId, reader.workspaceId), reader.agentId ? eq(runs.agentId, reader.agentId) : undefined, inArray(runs.id, ids)),
    );
  return rows.map(({ id, words }) => ({ id, name: titleOf(words ?? "") }));
}
