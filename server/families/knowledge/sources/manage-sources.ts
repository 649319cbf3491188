import "server-only";
import { and, asc, eq, gt, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { AddedSource, KnowledgePart, KnowledgeSource } from "@/contracts/knowledge/knowledge-sources";
import type { Db } from "@/db/client";
import { knowledgeParts, knowledgeSources } from "@/db/schema";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { attachment } from "@/server/endpoints/attachment";
import { decodeCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { documentPicture } from "@/server/retrieval/document-text";
import { findBase, lockBase } from "../bases/base-rows";
import { addSource, missingSource, readAgain, removeSource, type SourceKind, type SourceRow } from "./add-source";
import { fetchLink } from "./fetch-link";

type Reader = Authorized<"knowledge:read">;
type Writer = Authorized<"knowledge:write">;
const NameCursor = z.tuple([z.string(), z.uuid()]);

export function presentSource({
  workspaceId: _,
  hasGaps: _gaps,
  signature: _signature,
  readAt,
  createdAt,
  updatedAt,
  ...row
}: SourceRow): KnowledgeSource {
  return { ...row, readAt: readAt?.toISOString() ?? null, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

type Listed = { state?: SourceRow["state"] | undefined; limit?: number; cursor?: string | undefined };

export async function listSources(actor: Reader, baseId: string, { state, limit = 50, cursor }: Listed) {
  await findBase(actor, baseId);
  const [name, id] = cursor === undefined ? [] : decodeCursor(cursor, NameCursor);
  const isAfter =
    name === undefined
      ? undefined
      : or(gt(knowledgeSources.name, name), and(eq(knowledgeSources.name, name), gt(knowledgeSources.id, id ?? "")));
  const found = await db()
    .select()
    .from(knowledgeSources)
    .where(and(eq(knowledgeSources.baseId, baseId), state && eq(knowledgeSources.state, state), isAfter))
    .orderBy(asc(knowledgeSources.name), asc(knowledgeSources.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ name, id }) => [name, id]);
  return { items: rows.map(presentSource), nextCursor };
}

/** @throws AppError `not_found`, also for a source of another workspace or agent */
export async function findSource(actor: Actor, id: string, tx: Db = db()): Promise<SourceRow> {
  const [row] = await tx
    .select()
    .from(knowledgeSources)
    .where(and(eq(knowledgeSources.workspaceId, actor.workspaceId), eq(knowledgeSources.id, id)));
  if (!row) throw missingSource();
  if (actor.agentId !== null) await findBase(actor, row.baseId, tx).catch(() => Promise.reject(missingSource()));
  return row;
}

export const getSource = async (actor: Reader, id: string): Promise<KnowledgeSource> => presentSource(await findSource(actor, id));

type Given = { name: string; kind: SourceKind; origin: string | null; bytes: Uint8Array };

/** Adds bytes to a base. @throws AppError */
export async function addBytes(actor: Writer, baseId: string, given: Given): Promise<AddedSource> {
  const base = await findBase(actor, baseId);
  const { source, unchanged } = await addSource(base, given, { actor: toActorRef(actor), requestId: actor.requestId });
  return { ...presentSource(source), unchanged };
}

/** Fetches an address and adds what it answers. @throws AppError */
export async function addLink(actor: Writer, baseId: string, url: string, signal: AbortSignal): Promise<AddedSource> {
  await findBase(actor, baseId);
  return addBytes(actor, baseId, { ...(await fetchLink(url, signal)), kind: "url", origin: url });
}

/** @throws AppError `not_found` for a part that is not read yet, or not there */
export async function getPart(actor: Reader, id: string, number: number): Promise<KnowledgePart> {
  const source = await findSource(actor, id);
  const [part] = await db()
    .select()
    .from(knowledgeParts)
    .where(and(eq(knowledgeParts.sourceId, id), eq(knowledgeParts.number, number)));
  if (!part) {
    const range = source.partCount === 0 ? "It has no text yet." : `It has 1 to ${source.partCount}.`;
    throw new AppError("not_found", `${source.name} has no page ${number}. ${range}`);
  }
  return { number, page: source.pageCount === null ? null : number, text: part.text, source: presentSource(source) };
}

/** The bytes as they came. */
export async function getFile(actor: Reader, id: string): Promise<Response> {
  const { sha256, name, mediaType, bytes } = await findSource(actor, id);
  return attachment((await blobs().read(sha256)).stream, { name: name.split("/").at(-1) ?? name, mediaType, bytes });
}

/** A page of a PDF as a picture. @throws AppError `invalid` for other documents */
export async function getPicture(actor: Reader, id: string, number: number, signal: AbortSignal): Promise<Response> {
  const source = await findSource(actor, id);
  if (source.mediaType !== "application/pdf" || source.pageCount === null) {
    throw new AppError("invalid", `${source.name} has no pictures of pages; only a PDF that was read has.`);
  }
  if (number > source.pageCount) throw new AppError("not_found", `${source.name} has ${source.pageCount} pages.`);
  const stream = (await blobs().read(source.sha256)).stream as ReadableStream<Uint8Array<ArrayBuffer>>;
  const picture = await documentPicture(await new Response(stream).bytes(), number, signal);
  return new Response(picture as Uint8Array<ArrayBuffer>, {
    headers: { "content-type": "image/png", "cache-control": "private, max-age=3600", "x-content-type-options": "nosniff" },
  });
}

export async function readSourceAgain(actor: Writer, id: string): Promise<KnowledgeSource> {
  return db().transaction(async (tx) => presentSource(await readAgain(tx, await findSource(actor, id, tx))));
}

export async function removeSourceOf(actor: Writer, id: string): Promise<void> {
  const { baseId } = await findSource(actor, id);
  await db().transaction(async (tx) => {
    const base = await lockBase(tx, baseId);
    await removeSource(tx, base, await findSource(actor, id, tx), { actor: toActorRef(actor), requestId: actor.requestId });
  });
}

/** Finds a source of a base by its name. @throws AppError `not_found` */
export async function findNamedSource(tx: Db, baseId: string, name: string): Promise<SourceRow> {
  const isNamed = sql`lower(${knowledgeSources.name}) = ${name.trim().toLowerCase()}`;
  const [row] = await tx
    .select()
    .from(knowledgeSources)
    .where(and(eq(knowledgeSources.baseId, baseId), isNamed));
  if (!row) throw new AppError("not_found", `Source not found: ${name.slice(0, 200)}`);
  return row;
}
