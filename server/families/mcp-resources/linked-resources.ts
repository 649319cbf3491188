import "server-only";
import { and, asc, eq } from "drizzle-orm";
import { mcpServers } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { rememberedConversation } from "@/server/conversations/find-conversation";
import type { Connection } from "@/server/mcp/connect/connections/connection";
import { mcpConnections } from "@/server/mcp/connect/connections/connections";
import type { ResourcePart } from "@/server/mcp/connect/content/read-resource";
import { linkingServers } from "@/server/mcp/connect/content/record-links";
import { explainFailure } from "@/server/mcp/connect/session/explain-failure";
import { cleanLine } from "@/server/mcp/connect/text/clean-text";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError } from "@/server/platform/errors";
import type { CallOrigin } from "@/server/tools/define-tool";
import { loadToolScope } from "@/server/tools/list-conversation-tools";

/** A resource as its server answered it. */
export type LinkedResource = { server: string; uri: string; parts: ResourcePart[] };

/** The resources of MCP servers that one conversation may read. */
export type LinkedResources = {
  /** Reads a resource. `server`: alias of the server, needed only when several know the URI. @throws AppError */
  read: (uri: string, server: string | null, signal: AbortSignal) => Promise<LinkedResource>;
};

export const linkedResources = defineCapability({
  name: "resources",
  title: "Resources of MCP servers that results linked to",
  isOfConversation: true,
  create: ({ workspaceId, conversationId, actor }): LinkedResources => ({
    read: async (uri, server, signal) => {
      const [known, ...others] = (await readableServers({ workspaceId, conversationId, uri })).filter(
        ({ alias }) => server === null || alias === server,
      );
      if (!known)
        throw new AppError("not_found", `No result of this conversation linked to ${cleanLine(uri, 200)}, and no server lists it.`);
      if (others.length > 0) {
        const aliases = [known, ...others].map(({ alias }) => alias).join(", ");
        throw new AppError(
          "conflict",
          `Several servers know ${cleanLine(uri, 200)}: ${aliases}. Send the call again with one as \`server\`.`,
        );
      }
      return {
        server: known.alias,
        uri,
        parts: await readFrom(known, uri, { signal, origin: { workspaceId, conversationId, requestedBy: actor } }),
      };
    },
  }),
});

type Known = { alias: string; connection: Connection };
type Wanted = { workspaceId: string; conversationId: string; uri: string };

/** Finds the servers whose resource the conversation may read: linked by a result, or listed by a server of the agent's tools. */
async function readableServers({ workspaceId, conversationId, uri }: Wanted): Promise<Known[]> {
  const conversation = await rememberedConversation(conversationId);
  if (!conversation) return [];
  const { effective } = await loadToolScope(conversation);
  // An agent reads nothing of a server of which it may use no tool.
  const allowed = new Set([...effective.values()].flatMap(({ sourceRef }) => sourceRef ?? []));
  const linking = new Set(await linkingServers(conversationId, uri));
  const rows = await db()
    .select({ id: mcpServers.id, alias: mcpServers.alias })
    .from(mcpServers)
    .where(and(eq(mcpServers.workspaceId, workspaceId), eq(mcpServers.enabled, true)))
    .orderBy(asc(mcpServers.alias));
  const candidates = rows.flatMap(({ id, alias }) => {
    const connection = allowed.has(id) ? mcpConnections().find(id) : undefined;
    return connection ? [{ id, alias, connection }] : [];
  });
  const linked = candidates.filter(({ id }) => linking.has(id));
  if (linked.length > 0) return linked;
  const listing = await Promise.all(candidates.map(async (known) => ((await lists(known, uri)) ? [known] : [])));
  return listing.flat();
}

async function lists({ connection }: Known, uri: string): Promise<boolean> {
  const listing = await connection
    .session()
    ?.listResources()
    .catch(() => null);
  return listing?.items.some((resource) => resource.uri === uri && !resource.isTemplate) ?? false;
}

type Reader = { signal: AbortSignal; origin: CallOrigin };

async function readFrom({ alias, connection }: Known, uri: string, { signal, origin }: Reader): Promise<ResourcePart[]> {
  try {
    return await connection.readResource(uri, { signal, origin, timeoutMs: readMilliseconds, progress: () => {} });
  } catch (error) {
    signal.throwIfAborted();
    if (isAppError(error)) throw error;
    throw new AppError("unavailable", `${alias} could not read the resource. ${explainFailure(error)}`, { cause: error });
  }
}

const readMilliseconds = 30_000;
