import { z } from "zod";
import { artifacts } from "@/server/conversations/artifacts";
import { AppError, isAppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { readPage } from "@/server/tools/results/text-page";
import { decodedChunks } from "./file-text";
import { findInText } from "./find-in-text";
import { clampedInt, maxLinesPerPage, pageSentence } from "./page-arguments";
import { detectFileKind } from "./text-file";

const maxSearchedBytes = 32 * 1_048_576;

export const readArtifact = defineTool({
  name: "read_artifact",
  title: "Read a result on",
  description:
    "Reads a result on that was cut, by the artifact id that the cut result names: a page of numbered lines from startLine and startColumn, or with query the lines that contain that text.",
  family: "files",
  tier: "core",
  effect: "read",
  needs: [artifacts],
  names: {
    parameterAliases: {
      artifactId: "id",
      artifact_id: "id",
      start_line: "startLine",
      fromLine: "startLine",
      offset: "startLine",
      start_column: "startColumn",
      max_lines: "maxLines",
      lineCount: "maxLines",
      limit: "maxLines",
      pattern: "query",
    },
  },
  primaryArgument: "id",
  result: { neverSpilled: true, readsArtifacts: true },
  input: z.object({
    id: z.string().trim().min(1).max(100).describe("The artifact's id"),
    startLine: clampedInt({ min: 1 }).prefault(1).describe("First line, from 1"),
    startColumn: clampedInt({ min: 1 }).prefault(1).describe("First character of that line, from 1"),
    maxLines: clampedInt({ min: 1, max: maxLinesPerPage }).prefault(400).describe("Lines a page"),
    query: z.string().min(1).max(1_000).optional().describe("Plain text to find, in capitals or not"),
  }),
  async execute({ id, startLine, startColumn, maxLines, query }, { artifacts, signal }) {
    const { name, mediaType, bytes, chunks } = await artifacts.open(id);
    const text = readable(name, mediaType, chunks(), signal);
    if (query !== undefined) {
      if (bytes > maxSearchedBytes) {
        throw new AppError("too_large", `${name} is too large to be searched (over 32 MiB). Read it by pages, without query.`);
      }
      return `${name}: ${findInText(await wholeText(text), query, startLine)}`;
    }
    const page = await readPage(text, { startLine, startColumn, endLine: null, maxLines }).catch((error) => {
      if (!isAppError(error) || error.code !== "invalid") throw error;
      throw new AppError("invalid", error.message.replace(/^The file/, "The artifact"), { cause: error });
    });
    return `${name}: ${pageSentence(startLine, page)}\n${page.content}`;
  },
});

function readable(name: string, mediaType: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  return decodedChunks(untilAborted(chunks, signal), (beginning) => {
    const kind = detectFileKind(name, beginning);
    if (kind === "text" || kind === "utf16") return;
    throw new AppError("invalid", `${name} (${mediaType}) is not text, so it cannot be read here. Go on without it.`);
  });
}

async function* untilAborted(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}

async function wholeText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  return new TextDecoder().decode(Buffer.concat(pieces));
}
