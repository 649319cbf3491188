import "server-only";
import { and, eq } from "drizzle-orm";
import { activations, resourceLinks } from "@/db/schema";
import { conversationChanged } from "@/server/conversations/find-conversation";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { builtinTools } from "@/server/tools/builtin-tools";
import { cleanLine } from "../text/clean-text";

const maxUriCharacters = 2_000;
const maxPerAnswer = 200;
const maxPerConversation = 5_000;

type LinkSource = { conversationId: string; mcpServerId: string };

/**
 * Remembers the resources that a result links to, so that the model may read them in this conversation, and shows the model
 * the tool that reads them. A failure only costs the links, because the answer must not be lost.
 */
export async function recordLinks({ conversationId, mcpServerId }: LinkSource, uris: readonly string[]): Promise<void> {
  // The model gets a cleaned URI; a URI that cleaning changes could not be asked for.
  const readable = [...new Set(uris.slice(0, maxPerAnswer).filter((uri) => uri !== "" && cleanLine(uri, maxUriCharacters) === uri))];
  if (readable.length === 0) return;
  try {
    const known = await db().$count(resourceLinks, eq(resourceLinks.conversationId, conversationId));
    if (known >= maxPerConversation) return;
    await db().transaction(async (tx) => {
      await tx
        .insert(resourceLinks)
        .values(readable.map((uri) => ({ conversationId, mcpServerId, uriHash: sha256(uri) })))
        .onConflictDoNothing();
      if (known > 0) return;
      const readers = builtinTools().filter(({ readsLinkedResources }) => readsLinkedResources);
      if (readers.length === 0) return;
      await tx
        .insert(activations)
        .values(readers.map(({ name }) => ({ conversationId, toolName: name })))
        .onConflictDoNothing();
      await signalOnCommit(tx, { topic: "conversation", conversationId });
    });
    conversationChanged(conversationId);
  } catch (error) {
    log().warn({ err: error, conversationId }, "the resource links of a result could not be remembered");
  }
}

/** Returns the servers whose results have linked to a resource in a conversation. */
export async function linkingServers(conversationId: string, uri: string): Promise<string[]> {
  const rows = await db()
    .select({ id: resourceLinks.mcpServerId })
    .from(resourceLinks)
    .where(and(eq(resourceLinks.conversationId, conversationId), eq(resourceLinks.uriHash, sha256(uri))));
  return rows.map(({ id }) => id);
}
