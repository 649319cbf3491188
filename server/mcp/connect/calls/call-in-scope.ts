import "server-only";
import { AppError } from "@/server/platform/errors";
import type { ToolCallContext, ToolResult } from "@/server/tools/define-tool";
import { withNote } from "../content/with-note";
import { placeSession, type SessionOwner } from "../session/session-place";
import { callWithRetries, type UpstreamRequest } from "./call-with-retries";
import { relayCall } from "./relay-call";
import type { ScopedSessions } from "./scoped-sessions";

type ScopedServer = { id: string; alias: string };
type Tool = Pick<UpstreamRequest, "rawName" | "inputSchema" | "idempotent">;

const maxMoves = 3;
const lostReplica = "the replica that kept it stopped";

/** Makes a call in the session of its conversation, user or person, on whichever replica that session is. */
export async function callInScope(
  server: ScopedServer,
  sessions: ScopedSessions,
  { tool, request, owner }: { tool: Tool; request: UpstreamRequest; owner: SessionOwner },
  context: ToolCallContext,
): Promise<ToolResult> {
  for (let moves = 0; moves <= maxMoves; moves += 1) {
    const here = await callHere(server, sessions, owner, request, context);
    if ("result" in here) return here.result;
    const relayed = await relayCall(here.replica, { serverId: server.id, alias: server.alias, tool, args: request.args }, context);
    if (relayed !== "moved") return relayed;
  }
  throw new AppError("unavailable", `The session of ${server.alias} moves between replicas. Send the call again.`);
}

/** Makes a call in a session of this replica, or names the replica that has the session. */
export async function callHere(
  { id, alias }: ScopedServer,
  sessions: ScopedSessions,
  owner: SessionOwner,
  request: UpstreamRequest,
  context: ToolCallContext,
): Promise<{ result: ToolResult } | { replica: string }> {
  const { key, isLocal } = owner;
  await sessions.settled(key);
  let isLost = false;
  if (!sessions.has(key)) {
    const place = await placeSession(id, owner);
    if (place.kind === "there") return { replica: place.replica };
    isLost = place.isLost;
  }
  const ending = sessions.takeEnding(key) ?? (isLost ? lostReplica : null);
  const result = await sessions.use(owner, (route) => callWithRetries(route, request, context));
  // The session of a person at a server without state has none to lose.
  return { result: ending === null || isLocal ? result : withNote(result, newSessionNote(alias, ending)) };
}

/** Tells the model that earlier state is gone, because it would otherwise rely on a page or a variable that is not there. */
const newSessionNote = (alias: string, ending: string): string =>
  `[${alias} runs in a new session, because the earlier session ended: ${ending.replace(/\.$/, "")}. Its state is gone.]`;
