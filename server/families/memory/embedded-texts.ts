import "server-only";
import { createHash } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import type { Db } from "@/db/client";
import { memoryEmbeddings } from "@/db/schema";
import { chunkText } from "@/server/retrieval/chunk-text";

/** A remembered text that is compared by its meaning; `line` to `lastLine` of a file. */
export type EmbeddedText = { id: string; text: string; line: number; lastLine: number };
export const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The texts as they are embedded; their digests are the keys of `memory_embeddings`. */
export const fileTexts = ({ id, content }: { id: string; content: string }): EmbeddedText[] =>
  chunkText(content).map(({ text, headings, line }) => {
    const lastLine = line + text.split("\n").length - 1;
    return { id, text: [...headings, text].join("\n"), line, lastLine };
  });
export const entryText = ({ id, key, content }: { id: string; key: string; content: string }): EmbeddedText =>
  whole(id, `${key}: ${content}`);
export const factText = ({ id, subject, statement }: { id: string; subject: string; statement: string }): EmbeddedText =>
  whole(id, `${subject}: ${statement}`);
const whole = (id: string, text: string): EmbeddedText => ({ id, text, line: 1, lastLine: 1 });

/** Forgets the embeddings of texts that leave a memory, in the transaction that changes it. */
export async function dropEmbeddings(tx: Db, workspaceId: string, texts: readonly EmbeddedText[]): Promise<void> {
  if (texts.length === 0) return;
  const digests = texts.map(({ text }) => digestOf(text));
  await tx.delete(memoryEmbeddings).where(and(eq(memoryEmbeddings.workspaceId, workspaceId), inArray(memoryEmbeddings.digest, digests)));
}
