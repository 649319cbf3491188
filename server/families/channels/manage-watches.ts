import "server-only";
import { and, asc, eq, or } from "drizzle-orm";
import { z } from "zod";
import type { ChannelWatch, ChannelWatchDraft } from "@/contracts/channels";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { Db } from "@/db/client";
import { agents, channels, channelWatches } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { maySee } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { isUniqueViolation } from "@/server/platform/sql-state";
import { findChannel } from "./manage-channels";
import { presentWatch, type WatchRow } from "./present-channel";

/** An agent that watches channels in a loop must come to an end. */
const maxWatchesPerAgent = 50;

type NewWatch = Pick<WatchRow, "workspaceId" | "channelId" | "agentId" | "name" | "prompt" | "filterSender"> & { by: ActorRef };

/** Lists the watches of a channel; a bound key sees its agent's. @throws AppError `not_found` */
export async function listWatches(actor: Authorized<"turns:read">, channelId: string): Promise<{ items: ChannelWatch[] }> {
  await findChannel(db(), actor.workspaceId, channelId);
  const found = await select(
    db(),
    and(eq(channelWatches.channelId, channelId), actor.agentId ? eq(channelWatches.agentId, actor.agentId) : undefined),
  );
  return { items: found.map(({ watch, ...names }) => presentWatch(watch, names)) };
}

/** Lets an agent start with each message of a channel, for the actor. @throws AppError `conflict`, `invalid`, `not_found` */
export async function createWatch(
  actor: Authorized<"channels:write">,
  channelId: string,
  { agent: asked, ...settings }: ChannelWatchDraft,
): Promise<ChannelWatch> {
  const { workspaceId, requestId } = actor;
  return db().transaction(async (tx) => {
    const channel = await findChannel(tx, workspaceId, channelId);
    const isId = z.uuid().safeParse(asked).success;
    const [agent] = await tx
      .select({ id: agents.id, name: agents.name })
      .from(agents)
      .where(and(eq(agents.workspaceId, workspaceId), or(eq(agents.name, asked), isId ? eq(agents.id, asked) : undefined)));
    if (!agent || !maySee(actor, { agentId: agent.id })) {
      const message = `There is no agent "${asked}" in this workspace.`;
      throw new AppError("invalid", message, { errors: [{ path: "agent", message }] });
    }
    const row = await insertWatch(tx, { ...settings, workspaceId, channelId, agentId: agent.id, by: actor }, requestId);
    return presentWatch(row, { channel: channel.name, agent: agent.name });
  });
}

/** Adds a watch with its audit row. @throws AppError `conflict` for a taken name, or at the limit */
export async function insertWatch(tx: Db, { by, ...values }: NewWatch, requestId: string | null = null): Promise<WatchRow> {
  if ((await tx.$count(channelWatches, eq(channelWatches.agentId, values.agentId))) >= maxWatchesPerAgent) {
    throw new AppError("conflict", `An agent has at most ${maxWatchesPerAgent} watches. Remove one that is not needed any more.`);
  }
  try {
    // A savepoint, because a taken name must not spoil the caller's transaction.
    const [row] = await tx.transaction((inner) =>
      inner
        .insert(channelWatches)
        .values({ ...values, createdBy: toActorRef(by) })
        .returning(),
    );
    if (!row) throw new Error("The watch was not inserted");
    await recordWatch(tx, "channel_watch.created", row, by, { prompt: row.prompt, filterSender: row.filterSender }, requestId);
    return row;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("conflict", `The agent has a watch named "${values.name}" already. Choose another name.`, {
      errors: [{ path: "name", message: "is taken" }],
    });
  }
}

/** Switches a watch on or off. Switched on, it begins without its last error. @throws AppError `not_found` */
export async function switchWatch(actor: Authorized<"channels:write">, id: string, enabled: boolean): Promise<ChannelWatch> {
  return db().transaction(async (tx) => {
    const { watch, ...names } = await requireWatch(tx, actor, id);
    const change = { enabled, ...(enabled ? { lastError: null } : {}) };
    await tx.update(channelWatches).set(change).where(eq(channelWatches.id, id));
    await recordWatch(tx, "channel_watch.switched", watch, actor, { enabled }, actor.requestId);
    return presentWatch({ ...watch, ...change }, names);
  });
}

/** @throws AppError `not_found` */
export async function removeWatch(actor: Authorized<"channels:write">, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const { watch } = await requireWatch(tx, actor, id);
    await tx.delete(channelWatches).where(eq(channelWatches.id, id));
    await recordWatch(tx, "channel_watch.removed", watch, actor, { prompt: watch.prompt }, actor.requestId);
  });
}

async function requireWatch(tx: Db, actor: Authorized<"channels:write">, id: string) {
  const [found] = await select(tx, and(eq(channelWatches.workspaceId, actor.workspaceId), eq(channelWatches.id, id)));
  if (!found || !maySee(actor, found.watch))
    throw new AppError("not_found", "This watch does not exist. It may have been removed; list the watches of its channel.");
  return found;
}

const select = (tx: Db, condition: ReturnType<typeof and>) =>
  tx
    .select({ watch: channelWatches, channel: channels.name, agent: agents.name })
    .from(channelWatches)
    .innerJoin(channels, eq(channels.id, channelWatches.channelId))
    .innerJoin(agents, eq(agents.id, channelWatches.agentId))
    .where(condition)
    .orderBy(asc(channelWatches.id));

async function recordWatch(
  tx: Db,
  event: "channel_watch.created" | "channel_watch.switched" | "channel_watch.removed",
  { id, workspaceId, name, channelId }: WatchRow,
  by: ActorRef,
  data: JsonObject,
  requestId: string | null,
): Promise<void> {
  await record(tx, { workspaceId, event, actor: toActorRef(by), subject: id, data: { name, channelId, ...data }, requestId });
}
