import "server-only";
import { z } from "zod";
import type { McpLogLine, McpPrompt, McpResource } from "@/contracts/mcp/mcp-contents";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { decodeCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError } from "@/server/platform/errors";
import type { Connection } from "../connections/connection";
import { mcpConnections } from "../connections/connections";
import type { ContentListing } from "../listing/list-contents";
import { explainFailure } from "../session/explain-failure";
import { findServer } from "./find-server";

type Listing = { query?: string; limit?: number; cursor?: string };
type Page<T> = { items: T[]; nextCursor: string | null; total: number; notes: string[] };

/** The number of entries of the pages before. */
const Cursor = z.tuple([z.number().int().nonnegative()]);

/** Lists the resources and resource templates of a connected server, by URI. */
export async function listServerResources(actor: Authorized<"tools:read">, id: string, listing: Listing): Promise<Page<McpResource>> {
  const resources = await ask(actor, id, (session) => session.listResources());
  return pageOf(resources, listing, ({ uri, name, description }) => [uri, name, description]);
}

/** Lists the prompts of a connected server, by name. */
export async function listServerPrompts(actor: Authorized<"tools:read">, id: string, listing: Listing): Promise<Page<McpPrompt>> {
  const prompts = await ask(actor, id, (session) => session.listPrompts());
  return pageOf(prompts, listing, ({ name, title, description }) => [name, title, description]);
}

/** Returns the newest log messages of a server on this replica. */
export async function readServerLog(actor: Authorized<"mcp:write">, id: string): Promise<{ items: McpLogLine[] }> {
  await findServer(db(), actor.workspaceId, id);
  return { items: mcpConnections().find(id)?.log.newest() ?? [] };
}

type Session = NonNullable<ReturnType<Connection["contents"]>>;

/** @throws AppError `not_found` for another workspace's server; `unavailable` when the server is away or does not answer. */
async function ask<T>(actor: Authorized<"tools:read">, id: string, list: (session: Session) => Promise<T>): Promise<T> {
  const { alias } = await findServer(db(), actor.workspaceId, id);
  const session = mcpConnections().find(id)?.contents(toActorRef(actor));
  if (!session) throw new AppError("unavailable", `${alias} is not connected. Connect it, then look again.`);
  return list(session).catch((error) => {
    if (isAppError(error)) throw error;
    throw new AppError("unavailable", `${alias} could not list them. ${explainFailure(error)}`, { cause: error });
  });
}

function pageOf<T>(
  { items, notes }: ContentListing<T>,
  { query = "", limit = 50, cursor }: Listing,
  textsOf: (item: T) => string[],
): Page<T> {
  const wanted = query.trim().toLowerCase();
  const found = wanted === "" ? items : items.filter((item) => textsOf(item).some((text) => text.toLowerCase().includes(wanted)));
  const start = cursor ? decodeCursor(cursor, Cursor)[0] : 0;
  const { rows, nextCursor } = toPage(found.slice(start, start + limit + 1), limit, () => [start + limit]);
  return { items: rows, nextCursor, total: found.length, notes };
}
