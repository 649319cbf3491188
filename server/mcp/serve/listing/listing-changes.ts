import "server-only";
import type { ServerChange } from "@/server/mcp/connect/session/server-changes";
import { onSignal } from "@/server/platform/signals/bus";
import { isAskedOfClient, listDecidedApprovals } from "../call/pending-calls";
import { findClientConversation, onConversationOpened } from "../client/client-conversation";
import type { McpClient } from "../client/mcp-client";
import { onSubscriptionsChanged, readSubscriptions } from "../client/sessions";
import { ContentChanges } from "./content-changes";
import { listForClient } from "./list-tools";

/** A conversation opened by another replica is noticed after this time. */
const lookAgainMs = 15_000;

export type ClientNews =
  | { kind: "tools_changed" }
  | { kind: "approval_decided"; approvalId: string }
  | { kind: "contents_changed"; change: Exclude<ServerChange, { kind: "tools" }> };

/**
 * Yields news for an MCP client until the signal aborts: its tool list has changed (a tool was enabled, an admin changed the
 * configuration), or an approval was decided to whose page the client was sent. A session is compared with the list that it was
 * given last, and decisions whose results are owed are told again, so that a client hears of news from before its stream.
 */
export async function* clientNews(client: McpClient, signal: AbortSignal, uris?: readonly string[]): AsyncGenerator<ClientNews> {
  let wake = () => {};
  let mayHaveChanged = false;
  const decided: string[] = [];
  const changes: Extract<ClientNews, { kind: "contents_changed" }>["change"][] = [];
  const contents = new ContentChanges(client, (change) => {
    if (change.kind === "tools") return;
    changes.push(change);
    wake();
  });
  const { session } = client;
  const followed = async () => contents.follow(uris ?? (session ? await readSubscriptions(session) : []));
  let hasCaughtUp = false;
  let conversationId: string | null = null;
  const look = () => {
    mayHaveChanged = true;
    wake();
  };
  const ends = [
    onSignal("config", ({ workspaceId }) => workspaceId === client.actor.workspaceId && look()),
    onSignal("conversation", (changed) => changed.conversationId === conversationId && look()),
    onSignal("approval", ({ event, id, ...asked }) => {
      if (event !== "approval.decided" || asked.conversationId !== conversationId) return;
      decided.push(id);
      wake();
    }),
    onConversationOpened(() => conversationId === null && look()),
    session ? onSubscriptionsChanged(session, look) : () => {},
    () => contents.end(),
  ];
  const timer = setInterval(look, lookAgainMs);
  const stop = () => wake();
  signal.addEventListener("abort", stop);
  try {
    conversationId = await findClientConversation(client);
    const first = (await listForClient(client)).toolsHash;
    // Without a session, a change during these reads may have come after the client's own listing: it is told.
    let hash = client.session ? (client.session.listedHash ?? first) : mayHaveChanged ? null : first;
    mayHaveChanged = true;
    while (!signal.aborted) {
      if (mayHaveChanged) conversationId ??= await findClientConversation(client);
      if (conversationId !== null && !hasCaughtUp) {
        hasCaughtUp = true;
        decided.push(...(await listDecidedApprovals(client.actor, conversationId)));
      }
      for (const change of changes.splice(0)) yield { kind: "contents_changed", change };
      if (!mayHaveChanged && decided.length === 0 && changes.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      for (const approvalId of new Set(decided.splice(0))) {
        if (conversationId && (await isAskedOfClient(client.actor, conversationId, approvalId)))
          yield { kind: "approval_decided", approvalId };
      }
      if (!mayHaveChanged) continue;
      mayHaveChanged = false;
      await followed();
      const now = (await listForClient(client)).toolsHash;
      if (now !== hash) yield { kind: "tools_changed" };
      hash = now;
    }
  } finally {
    for (const end of ends) end();
    clearInterval(timer);
    signal.removeEventListener("abort", stop);
  }
}
