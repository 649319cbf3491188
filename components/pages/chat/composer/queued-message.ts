import { readJson } from "@/components/kit/api/read-json";

/** A message that waits in this tab for the end of the run. The key makes a message that was sent twice start one run. */
export type QueuedMessage = { text: string; attachments: string[]; key: string };

const keyOf = (conversationId: string) => `handrail.queued:${conversationId}`;

/** Returns the queued message of a conversation; null without any, and on the server. */
export function readQueued(conversationId: string): QueuedMessage | null {
  if (typeof sessionStorage === "undefined") return null;
  const kept = readJson(sessionStorage.getItem(keyOf(conversationId)) ?? "");
  return isQueued(kept) ? kept : null;
}

/** Keeps the queued message across a reload of the tab; null removes it. */
export function keepQueued(conversationId: string, queued: QueuedMessage | null): void {
  if (queued) sessionStorage.setItem(keyOf(conversationId), JSON.stringify(queued));
  else sessionStorage.removeItem(keyOf(conversationId));
}

function isQueued(value: unknown): value is QueuedMessage {
  if (typeof value !== "object" || value === null) return false;
  const { text, attachments, key } = value as Partial<Record<keyof QueuedMessage, unknown>>;
  return (
    typeof text === "string" &&
    typeof key === "string" &&
    Array.isArray(attachments) &&
    attachments.every((path) => typeof path === "string")
  );
}
