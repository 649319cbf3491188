import type { Channel, ChannelWatch } from "@/contracts/channels";
import type { channels, channelWatches } from "@/db/schema";

export type ChannelRow = typeof channels.$inferSelect;
export type WatchRow = typeof channelWatches.$inferSelect;

/** Converts a channel's row to its public form; no other code does. */
export function presentChannel({ id, name, description, createdBy, createdAt }: ChannelRow): Channel {
  return { id, name, description, createdBy, createdAt: createdAt.toISOString() };
}

export function presentWatch(row: WatchRow, names: { channel: string; agent: string }): ChannelWatch {
  const { id, channelId, agentId, name, prompt, filterSender, enabled, lastError, createdBy } = row;
  return {
    ...{ id, channelId, agentId, ...names, name, prompt, filterSender, enabled, lastError, createdBy },
    lastFiredAt: row.lastFiredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
