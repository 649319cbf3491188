import "server-only";
import type { Holder } from "@/server/auth/actor";
import { signalFeed } from "@/server/platform/signal-feed";

const idleMs = 30_000;

/**
 * Says when an approval of the workspace was asked for or decided. A hint to read the list again, which is also what a
 * `refresh` after a quiet half minute is for.
 */
export async function* approvalFeed(actor: Holder<"approvals:read">, signal: AbortSignal) {
  const feed = signalFeed("approval", { signal, idleMs, filter: ({ workspaceId }) => workspaceId === actor.workspaceId });
  for await (const received of feed) {
    yield received ? { event: received.event, data: { id: received.id } } : { event: "refresh", data: {} };
  }
}
