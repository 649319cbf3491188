import "server-only";
import type { Authorized } from "@/server/auth/actor";
import { signalFeed } from "@/server/platform/signals/signal-feed";

const idleMs = 30_000;

/**
 * Yields an event when an approval of the workspace is requested or decided, or a tool is quarantined or decided about,
 * and `refresh` after 30 s without a signal. All tell the subscriber to read the lists again.
 */
export async function* approvalFeed(actor: Authorized<"approvals:read">, signal: AbortSignal) {
  const topics = ["approval", "tool_change"] as const;
  const feed = signalFeed(topics, { signal, idleMs, filter: ({ workspaceId }) => workspaceId === actor.workspaceId });
  for await (const received of feed) {
    if (!received) yield { event: "refresh", data: {} };
    else yield { event: received.event, data: received.topic === "approval" ? { id: received.id } : {} };
  }
}
