import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";

/** Admitted turns of this replica that do not rest yet, in total and by workspace. */
const taken = () => processWide("admission", () => ({ total: 0, byWorkspace: new Map<string, number>() }));

/** Share of a replica's turns that one workspace may have while other workspaces have turns too. */
const fairShare = 0.5;
const retryAfterSeconds = 1;

/**
 * Admits a turn, or refuses it at once beyond the limit, so that nothing piles up in memory. While other workspaces
 * have turns, one workspace gets at most half of the places.
 * @returns a function that gives the place back
 * @throws AppError `too_many_requests` with the seconds to wait
 */
export function admit(workspaceId: string, limit = env().maxTurns): () => void {
  const { byWorkspace } = taken();
  const own = byWorkspace.get(workspaceId) ?? 0;
  if (taken().total >= limit) throw tooMany(`This server works on ${limit} turns at once, and all places are taken.`);
  if (byWorkspace.size > (own > 0 ? 1 : 0) && own >= limit * fairShare) {
    throw tooMany(`Your workspace has ${own} turns at work on this server, which is its share while others need it too.`);
  }
  taken().total += 1;
  byWorkspace.set(workspaceId, own + 1);
  let isGivenBack = false;
  return () => {
    if (isGivenBack) return;
    isGivenBack = true;
    taken().total -= 1;
    const left = (byWorkspace.get(workspaceId) ?? 1) - 1;
    if (left > 0) byWorkspace.set(workspaceId, left);
    else byWorkspace.delete(workspaceId);
  };
}

function tooMany(what: string): AppError {
  return new AppError("too_many_requests", `${what} Nothing was stored: send the turn again in a moment, with the same Idempotency-Key.`, {
    retryAfterSeconds,
  });
}
