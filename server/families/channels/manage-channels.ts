import "server-only";
import { and, asc, eq } from "drizzle-orm";
import type { Channel, ChannelDraft } from "@/contracts/channels";
import type { Db } from "@/db/client";
import { channels } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { isUniqueViolation } from "@/server/platform/sql-state";
import { type ChannelRow, presentChannel } from "./present-channel";

const maxChannels = 200;

/** Lists the channels of a workspace by name. */
export async function listChannels(actor: Authorized<"turns:read">): Promise<{ items: Channel[] }> {
  return { items: (await loadChannels(db(), actor.workspaceId)).map(presentChannel) };
}

export const loadChannels = (tx: Db, workspaceId: string): Promise<ChannelRow[]> =>
  tx.select().from(channels).where(eq(channels.workspaceId, workspaceId)).orderBy(asc(channels.name));

/** @throws AppError `not_found`, also for another workspace's channel */
export async function findChannel(tx: Db, workspaceId: string, id: string): Promise<ChannelRow> {
  const [row] = await tx
    .select()
    .from(channels)
    .where(and(eq(channels.workspaceId, workspaceId), eq(channels.id, id)));
  if (!row) throw missing();
  return row;
}

/** Finds a channel by its name. @throws AppError `not_found` with the names that there are */
export async function findChannelByName(tx: Db, workspaceId: string, name: string): Promise<ChannelRow> {
  const all = await loadChannels(tx, workspaceId);
  const found = all.find((channel) => channel.name === name.trim().replace(/^#/, "").toLowerCase());
  if (found) return found;
  const known = all.map((channel) => channel.name).join(", ");
  throw new AppError(
    "not_found",
    `There is no channel "${name.slice(0, 100)}". ${known === "" ? "The workspace has none; an admin adds channels on the page Channels." : `Available channels: ${known}.`}`,
  );
}

/** Adds a channel. @throws AppError `conflict` for a taken name, or at the limit */
export async function createChannel(actor: Authorized<"channels:write">, draft: ChannelDraft): Promise<Channel> {
  const { workspaceId, requestId } = actor;
  const change = db().transaction(async (tx) => {
    if ((await tx.$count(channels, eq(channels.workspaceId, workspaceId))) >= maxChannels) {
      throw new AppError("conflict", `A workspace has at most ${maxChannels} channels. Remove one that is not needed any more.`);
    }
    const [row] = await tx
      .insert(channels)
      .values({ ...draft, workspaceId, createdBy: toActorRef(actor) })
      .returning();
    if (!row) throw new Error("The channel was not inserted");
    await record(tx, { workspaceId, event: "channel.created", actor: toActorRef(actor), subject: row.id, data: draft, requestId });
    return presentChannel(row);
  });
  return change.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("conflict", `There is a channel named "${draft.name}" already. Choose another name.`, {
      errors: [{ path: "name", message: "is taken" }],
    });
  });
}

/** Removes a channel with its messages and watches; the conversations that it opened stay. @throws AppError `not_found` */
export async function removeChannel(actor: Authorized<"channels:write">, id: string): Promise<void> {
  const { workspaceId, requestId } = actor;
  await db().transaction(async (tx) => {
    const [row] = await tx
      .delete(channels)
      .where(and(eq(channels.workspaceId, workspaceId), eq(channels.id, id)))
      .returning();
    if (!row) throw missing();
    const { name, description } = row;
    await record(tx, {
      workspaceId,
      event: "channel.removed",
      actor: toActorRef(actor),
      subject: id,
      data: { name, description },
      requestId,
    });
  });
}

const missing = () => new AppError("not_found", "This channel does not exist. It may have been removed; list the channels.");
