import "server-only";
import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { channels } from "@/db/schema";
import { record } from "@/server/audit/record";
import { toActorRef } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import type { ChannelRow } from "../present-channel";
import type { Group } from "./group-capability";

const maxChannels = 50;

/** Makes a channel of the group. @throws AppError `conflict` for a taken name, or at the limit */
export async function makeChannel(tx: Db, { workspaceId, agent, by }: Group, name: string, description: string): Promise<ChannelRow> {
  if ((await tx.$count(channels, eq(channels.groupAgentId, agent.id))) >= maxChannels) {
    throw new AppError("conflict", `A group has at most ${maxChannels} channels. Delete one first.`);
  }
  const [row] = await tx
    .insert(channels)
    .values({ workspaceId, name, description, groupAgentId: agent.id, createdBy: toActorRef(by) })
    .onConflictDoNothing({ target: [channels.workspaceId, channels.name] })
    .returning();
  if (!row) throw new AppError("conflict", `There is a channel named "${name}" already. Choose another name.`);
  const entry = { workspaceId, actor: toActorRef(by), subject: row.id, agent: agent.name };
  await record(tx, { ...entry, event: "channel.created", data: { name, description, group: agent.name } });
  return row;
}
