import "server-only";
import { eq, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { CodingClient } from "@/contracts/agents/coding-agents";
import { normalRepository } from "@/contracts/lib/normal-repository";
import type { machineBoxes } from "@/contracts/tools/machine";
import { codingSessions, conversations } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { createConversation } from "@/server/conversations/create-conversation";
import { type ConversationRow, conversationChanged, findConversation } from "@/server/conversations/find-conversation";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";

/** A client's words about its session, sent with each call. */
export type SessionFacts = {
  client: CodingClient;
  version?: string | undefined;
  session: string;
  agent?: { id: string; type?: string | undefined } | undefined;
  folder: string;
  home?: string | undefined;
  /** Address of the remote repository; null when the folder has none, absent when unknown. */
  repository?: string | null | undefined;
  host?: string | undefined;
  user?: string | undefined;
  box: (typeof machineBoxes)[number];
  interactive: boolean;
  /** Seconds after which the client gives up a hook; null for a client that asks by itself. */
  hookTimeout: number | null;
  /** True when the client blocks a call whose hook fails; null for a client that asks by itself. */
  blocksOnFailure: boolean | null;
  /** SHA-256 of the project's `.handrail.yaml`. */
  policy?: string | undefined;
};

export type SessionRow = typeof codingSessions.$inferSelect;

/** A session with its conversation. */
export type OpenSession = { row: SessionRow; conversation: ConversationRow };

type Known = { row: SessionRow; touchedAt: number };

/** Sessions that this replica has seen, so that a call of one costs no query. */
const known = () => processWide("codingSessions", () => new LRUCache<string, Known>({ max: 5_000 }));

/** Interval in which the time of the last call is stored. */
const touchedEveryMs = 20_000;

/**
 * Finds the session of a call, and opens it with its conversation at its first call. A subagent has a session of its own, in a
 * child of the session's conversation.
 */
export async function openSession(actor: Authorized<"guard:ask">, facts: SessionFacts): Promise<OpenSession> {
  const key = externalIdOf(actor, facts);
  const found = known().get(key);
  if (found) {
    const conversation = await findConversation(actor, found.row.conversationId).catch(ifDeleted);
    if (conversation) {
      await takePolicy(found.row, facts);
      await touch(found, facts);
      return { row: found.row, conversation: await withInteractive(conversation, facts) };
    }
    known().delete(key);
  }
  const parent = facts.agent ? await openSession(actor, { ...facts, agent: undefined }) : null;
  const { client, session, agent } = facts;
  const draft = {
    channel: client,
    externalId: key,
    origin: "coding_agent" as const,
    interactive: facts.interactive,
    metadata: { title: titleOf(facts), client, session, ...(agent ? { subagent: agent.id } : {}) },
  };
  const { conversation: opened } = await createConversation(actor, draft, parent ? { parent: parent.conversation } : {});
  const row = await store(actor, opened.id, facts);
  known().set(key, { row, touchedAt: Date.now() });
  return { row, conversation: await withInteractive(await findConversation(actor, opened.id), facts) };
}

/** Takes over whether people can be asked, which each call of a session says anew. */
async function withInteractive(conversation: ConversationRow, { interactive }: SessionFacts): Promise<ConversationRow> {
  if (conversation.interactive === interactive) return conversation;
  await db().update(conversations).set({ interactive }).where(eq(conversations.id, conversation.id));
  conversationChanged(conversation.id);
  return { ...conversation, interactive };
}

function ifDeleted(error: unknown): null {
  if (isAppError(error) && error.code === "not_found") return null;
  throw error;
}

/** A session belongs to its key: another key that names it has a session of its own. */
function externalIdOf({ id }: Authorized<"guard:ask">, { client, session, agent }: SessionFacts): string {
  return `coding:${sha256(JSON.stringify([id, client, session, agent?.id ?? null]))}`;
}

function titleOf({ client, folder, agent }: SessionFacts): string {
  const project = folder.split("/").at(-1) ?? folder;
  return agent ? `${client} in ${project}: ${agent.type ?? agent.id}` : `${client} in ${project}`;
}

/** Returns the home of a machine when its client does not tell it: the one that holds the project, else a name of none. */
export function homeOf({ home, folder }: Pick<SessionFacts, "home" | "folder">): string {
  return home ?? /^\/(?:home|Users)\/[^/]+|^\/root(?=\/|$)/.exec(folder)?.[0] ?? "/home/~";
}

async function store(actor: Authorized<"guard:ask">, conversationId: string, facts: SessionFacts): Promise<SessionRow> {
  const { client, session, agent, folder, box, hookTimeout, blocksOnFailure } = facts;
  const told = toldOf(facts);
  // The agent may change the remote's address later, and must not reach another repository's grants by that.
  const repository = facts.repository ? normalRepository(facts.repository) : null;
  return db().transaction(async (tx) => {
    const [row] = await tx
      .insert(codingSessions)
      .values({
        workspaceId: actor.workspaceId,
        conversationId,
        client,
        session,
        agent: agent ? (agent.type ?? agent.id) : null,
        folder,
        home: homeOf(facts),
        box,
        hookTimeout,
        blocksOnFailure,
        repository,
        policyDigest: facts.policy ?? null,
        key: toActorRef(actor),
        lastSeenAt: sql`now()`,
        ...told,
      })
      .onConflictDoUpdate({
        target: codingSessions.conversationId,
        set: {
          ...{ endedAt: null, hookTimeout, blocksOnFailure, box, lastSeenAt: sql`now()` },
          ...(facts.policy ? { policyDigest: facts.policy } : {}),
          ...told,
        },
      })
      .returning();
    if (!row) throw new Error("a session was neither stored nor found");
    const isNew = row.startedAt.getTime() === row.lastSeenAt.getTime();
    if (isNew) {
      await record(tx, {
        workspaceId: actor.workspaceId,
        event: "coding_session.started",
        actor: toActorRef(actor),
        subject: row.id,
        conversationId,
        requestId: actor.requestId,
        data: { client, session, folder, host: row.host, user: row.userName, agent: row.agent },
      });
    }
    return row;
  });
}

/** The facts that a later call may tell anew. */
function toldOf({ version, host, user }: SessionFacts) {
  return {
    ...(version ? { version } : {}),
    ...(host ? { host } : {}),
    ...(user ? { userName: user } : {}),
  };
}

/** Takes over a changed policy file at once. One that is gone holds on until the session ends. */
async function takePolicy(row: SessionRow, { policy }: SessionFacts): Promise<void> {
  if (policy === undefined || policy === row.policyDigest) return;
  await db().update(codingSessions).set({ policyDigest: policy }).where(eq(codingSessions.id, row.id));
  row.policyDigest = policy;
}

/** Stores that the session is alive, now and then. A failure must not hold up the call. */
async function touch(found: Known, facts: SessionFacts): Promise<void> {
  const now = Date.now();
  const { row } = found;
  if (now - found.touchedAt < touchedEveryMs && row.endedAt === null) return;
  found.touchedAt = now;
  row.endedAt = null;
  await db()
    .update(codingSessions)
    .set({ lastSeenAt: sql`now()`, endedAt: null, ...connectionOf(facts), ...toldOf(facts) })
    .where(eq(codingSessions.id, row.id))
    .catch((error) => log().warn({ err: error, sessionId: row.id }, "the last call of a coding session was not noted"));
}

const connectionOf = ({ hookTimeout, blocksOnFailure, box }: SessionFacts) => ({ hookTimeout, blocksOnFailure, box });

/** Notes the end of a session. */
export async function endSession(actor: Authorized<"guard:ask">, { row }: OpenSession): Promise<void> {
  if (row.endedAt) return;
  row.endedAt = new Date();
  await db().transaction(async (tx) => {
    await tx.update(codingSessions).set({ endedAt: sql`now()`, lastSeenAt: sql`now()` }).where(eq(codingSessions.id, row.id));
    await record(tx, {
      workspaceId: actor.workspaceId,
      event: "coding_session.ended",
      actor: toActorRef(actor),
      subject: row.id,
      conversationId: row.conversationId,
      requestId: actor.requestId,
      data: { client: row.client, session: row.session },
    });
  });
}

/** Counts and records the result of a call that Handrail had not released: the client ran it without asking. */
export async function noteBypass(actor: Authorized<"guard:ask">, row: SessionRow, tool: string): Promise<void> {
  await db().transaction(async (tx) => {
    await tx
      .update(codingSessions)
      .set({ bypassed: sql`${codingSessions.bypassed} + 1` })
      .where(eq(codingSessions.id, row.id));
    await record(tx, {
      workspaceId: actor.workspaceId,
      event: "guarded_call.bypassed",
      actor: toActorRef(actor),
      subject: tool,
      conversationId: row.conversationId,
      requestId: actor.requestId,
      data: { client: row.client, session: row.session, tool },
    });
  });
}
