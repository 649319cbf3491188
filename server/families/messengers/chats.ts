import "server-only";
import { and, desc, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { Messenger, MessengerChat, MessengerPart } from "@/contracts/messengers/messengers";
import { agents, messengerChats, messengerInbound, messengerOutbound, messengers as messengerTable, type PartContent } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { maskInText } from "@/server/secrets/mask-secrets";
import { driverOf } from "./account";
import type { ChatRow } from "./chat-context";
import { noteFailure, withBot } from "./connections";
import { messengers } from "./messengers";
import { storeParts } from "./parts";

type Page = { limit?: number | undefined; cursor?: string | undefined };
type Writer = Authorized<"messengers:write">;

const checkMs = 20_000;

/** Asks the platform whether the credentials hold. The messenger says what came of it. @throws AppError `not_found` */
export async function checkMessenger(actor: Writer, id: string): Promise<Messenger> {
  const row = await messengers.find(actor.workspaceId, id);
  try {
    await driverOf(row);
    await withBot(row, AbortSignal.timeout(checkMs));
    await db().update(messengerTable).set({ lastError: null }).where(eq(messengerTable.id, id));
  } catch (error) {
    await noteFailure(row, error);
    throw new AppError("unavailable", `The platform refuses: ${toErrorMessage(error).slice(0, 300)} Check what was pasted.`);
  }
  return messengers.get({ actor: actor as never, params: { id } });
}

/** Lists the chats of a messenger, the last used first. @throws AppError `not_found` */
export async function listMessengerChats(actor: Authorized<"messengers:read">, id: string, { limit = 50, cursor }: Page) {
  await messengers.find(actor.workspaceId, id);
  const after = cursor === undefined ? undefined : lt(messengerChats.id, decodeCursor(cursor, IdCursor)[0]);
  const found = await db()
    .select()
    .from(messengerChats)
    .where(and(eq(messengerChats.messengerId, id), after))
    .orderBy(desc(messengerChats.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, (row) => [row.id]);
  return { items: rows.map(presentChat), nextCursor };
}

export function presentChat({ id, kind, chat, thread, title, agentId, conversationId, lastReceivedAt }: ChatRow): MessengerChat {
  return {
    ...{ id, kind, chat, title, agentId, conversationId },
    thread: thread || null,
    lastReceivedAt: lastReceivedAt?.toISOString() ?? null,
  };
}

/** Gives a chat an agent of its own. @throws AppError `not_found`, `invalid` */
export async function setChatAgent(
  actor: Writer,
  { id, chatId }: { id: string; chatId: string },
  agentId: string | null,
): Promise<MessengerChat> {
  const { workspaceId, requestId } = actor;
  return db().transaction(async (tx) => {
    const messenger = await messengers.find(workspaceId, id, tx);
    const [agent] = agentId
      ? await tx
          .select()
          .from(agents)
          .where(and(eq(agents.workspaceId, workspaceId), eq(agents.id, agentId)))
      : [];
    if (agentId && !agent)
      throw new AppError("invalid", "There is no such agent in this workspace.", { errors: [{ path: "agentId", message: "is unknown" }] });
    const [row] = await tx
      .update(messengerChats)
      .set({ agentId })
      .where(and(eq(messengerChats.id, chatId), eq(messengerChats.messengerId, id)))
      .returning();
    if (!row) throw noSuchChat();
    await record(tx, {
      workspaceId,
      event: "messenger.chat_agent_set",
      actor: toActorRef(actor),
      subject: id,
      data: { messenger: messenger.name, chat: row.chat, agent: agent?.name ?? null },
      requestId,
    });
    return presentChat(row);
  });
}

/** Sends a test message to a chat. @throws AppError `not_found` */
export async function sendTest(actor: Writer, { id, chatId }: { id: string; chatId: string }): Promise<MessengerPart> {
  await messengers.find(actor.workspaceId, id);
  const key = `test:${newId()}`;
  return db().transaction(async (tx) => {
    const [chat] = await tx
      .select()
      .from(messengerChats)
      .where(and(eq(messengerChats.id, chatId), eq(messengerChats.messengerId, id)));
    if (!chat) throw noSuchChat();
    await storeParts(tx, chat, [{ key, content: { kind: "text", text: `Test message of Handrail, sent by ${actor.name}.` } }]);
    const [part] = await tx
      .select()
      .from(messengerOutbound)
      .where(and(eq(messengerOutbound.messengerId, id), eq(messengerOutbound.key, key)));
    if (!part) throw new Error("The test message was not stored");
    return presentSent(part);
  });
}

const noSuchChat = () => new AppError("not_found", "This messenger has no such chat. List its chats.");

/** Lists what was received and sent, newest first. @throws AppError `not_found` */
export async function listParts(
  actor: Authorized<"messengers:read">,
  id: string,
  { limit = 50, cursor, problems }: Page & { problems?: "true" | undefined },
) {
  await messengers.find(actor.workspaceId, id);
  const before = cursor === undefined ? null : decodeCursor(cursor, IdCursor)[0];
  const received = await db()
    .select()
    .from(messengerInbound)
    .where(
      and(
        eq(messengerInbound.messengerId, id),
        before ? lt(messengerInbound.id, before) : undefined,
        problems ? inArray(messengerInbound.status, ["failed", "refused"]) : undefined,
      ),
    )
    .orderBy(desc(messengerInbound.id))
    .limit(limit + 1);
  const sent = await db()
    .select()
    .from(messengerOutbound)
    .where(
      and(
        eq(messengerOutbound.messengerId, id),
        // The beginning of an answer is shown when it failed; otherwise the answer stands for it.
        or(sql`${messengerOutbound.content} ->> 'kind' <> 'stream'`, inArray(messengerOutbound.status, ["failed", "unknown"])),
        before ? lt(messengerOutbound.id, before) : undefined,
        problems ? inArray(messengerOutbound.status, ["failed", "unknown"]) : undefined,
      ),
    )
    .orderBy(desc(messengerOutbound.id))
    .limit(limit + 1);
  const all = [...received.map(presentReceived), ...sent.map(presentSent)].sort((a, b) => (a.id < b.id ? 1 : -1));
  const { rows, nextCursor } = toPage(all, limit, (row) => [row.id]);
  return { items: rows, nextCursor };
}

const maxShown = 2_000;

function presentReceived(row: typeof messengerInbound.$inferSelect): MessengerPart {
  const files = row.files.map(({ name }) => `[${name}]`).join(" ");
  return {
    id: row.id,
    chatId: row.chatId,
    direction: "in",
    kind: row.kind,
    status: row.status,
    sender: row.senderName || row.senderId,
    text: maskInText([row.text, files].filter(Boolean).join(" ")).slice(0, maxShown),
    error: row.error,
    attempts: 0,
    runId: row.runId,
    createdAt: row.receivedAt.toISOString(),
  };
}

function presentSent(row: typeof messengerOutbound.$inferSelect): MessengerPart {
  return {
    id: row.id,
    chatId: row.chatId,
    direction: "out",
    kind: row.content.kind,
    status: row.status,
    sender: null,
    text: maskInText(wordsOf(row.content)).slice(0, maxShown),
    error: row.error,
    attempts: row.attempts,
    runId: row.runId,
    createdAt: row.createdAt.toISOString(),
  };
}

function wordsOf(content: PartContent): string {
  if (content.kind === "file") return `[${content.name}] ${content.caption ?? ""}`.trim();
  return content.kind === "reaction" ? content.emoji : content.text;
}
