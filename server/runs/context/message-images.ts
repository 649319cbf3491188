import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { ContentPart } from "@/contracts/turns/turns";
import { artifacts, type RunMessageContent } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { db } from "@/server/platform/database/database";
import { processWide } from "@/server/platform/process-wide";
import type { MessageRow } from "../run-row";

/** Media types that every provider takes. */
export const shownTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** The most images of a history that a request holds, the latest ones: each costs tokens with every step. */
export const maxImages = 8;
/** The largest image that is shown, in bytes. */
export const maxImageBytes = 5_000_000;

/** Images of a message by artifact. */
export type MessageImages = ReadonlyMap<string, Uint8Array>;

/** The images among the parts of a result. */
export function imagesOf(parts: readonly ContentPart[] = []): NonNullable<RunMessageContent["images"]> {
  return parts.flatMap((part) =>
    part.type === "artifact" && part.image && shownTypes.has(part.mediaType) && part.bytes <= maxImageBytes
      ? [{ artifactId: part.artifactId, mediaType: part.mediaType, tokens: part.image.tokens }]
      : [],
  );
}

const maxCachedBytes = 64 * 1_048_576;
/** Images of this replica's runs by content, because every step of a run sends them again. */
const cache = () => processWide("runs.images", () => new LRUCache<string, Uint8Array>({ maxSize: maxCachedBytes }));

/** Loads the latest images of a conversation's messages. An image that was removed is left out. */
export async function loadImages(conversationId: string, messages: readonly Pick<MessageRow, "content">[]): Promise<MessageImages> {
  const ids = latestImages(messages);
  if (ids.length === 0) return new Map();
  const rows = await db()
    .select({ id: artifacts.id, sha256: artifacts.sha256 })
    .from(artifacts)
    .where(and(eq(artifacts.conversationId, conversationId), inArray(artifacts.id, ids)));
  return new Map(await Promise.all(rows.map(async ({ id, sha256 }) => [id, await bytesOf(sha256)] as const)));
}

function latestImages(messages: readonly Pick<MessageRow, "content">[]): string[] {
  const ids: string[] = [];
  for (let place = messages.length - 1; place >= 0 && ids.length < maxImages; place -= 1) {
    for (const { artifactId } of messages[place]?.content.images?.toReversed() ?? []) if (ids.length < maxImages) ids.push(artifactId);
  }
  return ids;
}

async function bytesOf(sha256: string): Promise<Uint8Array> {
  const known = cache().get(sha256);
  if (known) return known;
  const bytes = await new Response((await blobs().read(sha256)).stream).bytes();
  cache().set(sha256, bytes, { size: Math.max(1, bytes.length) });
  return bytes;
}
