import "server-only";
import { eq } from "drizzle-orm";
import { artifacts } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError } from "@/server/platform/errors";
import { readPage } from "@/server/tools/results/text-page";
import type { JobRow } from "./start-in-background";

/**
 * Returns a page of a job's result, from the whole text even when the model got only its beginning and end.
 * @param offset lines before the page; `column` is the first character of its first line, from 1
 * @throws AppError `invalid` for a page behind the end, `not_found` when the whole text is not kept any more
 */
export async function readResultPage(
  job: Pick<JobRow, "content" | "truncated">,
  { offset, lines, column }: { offset: number; lines: number; column: number },
): Promise<string> {
  const request = { startLine: offset + 1, startColumn: column, endLine: null, maxLines: lines };
  const page = await readPage(await wholeResult(job), request).catch((error) => {
    if (!isAppError(error) || error.code !== "invalid") throw error;
    throw new AppError("invalid", `The result has no text at offset ${offset}, column ${column}. Send smaller numbers.`, { cause: error });
  });
  const { totalLines, nextStartLine, nextStartColumn } = page;
  if (nextStartLine === null) return page.content;
  const where = `offset ${nextStartLine - 1}${nextStartColumn === null ? "" : `, column ${nextStartColumn}`}`;
  return `${page.content}\n[${totalLines === null ? "There is more" : `${totalLines} lines in all`}; go on with ${where}]`;
}

async function wholeResult({ content, truncated }: Pick<JobRow, "content" | "truncated">): Promise<AsyncIterable<Uint8Array>> {
  if (!truncated) return oneChunk(content);
  const [artifact] = await db().select({ sha256: artifacts.sha256 }).from(artifacts).where(eq(artifacts.id, truncated.artifactId));
  if (!artifact) throw new AppError("not_found", "The whole result of this job is not kept any more.");
  return (await blobs().read(artifact.sha256)).stream;
}

async function* oneChunk(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}
