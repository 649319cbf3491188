import "server-only";
import type { Authorized } from "@/server/auth/actor";
import { signalFeed } from "@/server/platform/signal-feed";

const idleMs = 30_000;

/**
 * Yields an event when an approval of the workspace is requested or decided, and `refresh` after 30 s without a signal.
 * Both tell the subscriber to read the list again.
 */
export async function* approvalFeed(actor: Authorized<"approvals:read">, signal: AbortSignal) {
  const feed = signalFeed("approval", { signal, idleMs, filter: ({ workspaceId }) => workspaceId === actor.workspaceId });
  for await (const received of feed) {
    yield received ? { event: received.event, data: { id: received.id } } : { event: "refresh", data: {} };
  }
}
