import type { Topic, TopicWatch } from "@/contracts/agents/topics";
import type { topics, topicWatches } from "@/db/schema";

export type TopicRow = typeof topics.$inferSelect;
export type WatchRow = typeof topicWatches.$inferSelect;

/** Converts a topic's row to its public form; no other code does. */
export function presentTopic({ id, name, description, createdBy, createdAt }: TopicRow): Topic {
  return { id, name, description, createdBy, createdAt: createdAt.toISOString() };
}

export function presentWatch(row: WatchRow, names: { topic: string; agent: string }): TopicWatch {
  const { id, topicId, agentId, name, prompt, filterSender, enabled, lastError, createdBy } = row;
  return {
    ...{ id, topicId, agentId, ...names, name, prompt, filterSender, enabled, lastError, createdBy },
    lastFiredAt: row.lastFiredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
