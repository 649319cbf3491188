import { posix } from "node:path";
import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import type { FilesCapability } from "@/server/capabilities/files";
import { PathArgument, pathAliases } from "@/server/capabilities/path-argument";
import { withSimilarPaths } from "@/server/capabilities/similar-paths";
import { reads } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool, type ToolResult, toolResult } from "@/server/tools/define-tool";
import { imageCost } from "@/server/tools/image-tokens";
import { type PageRequest, readPage, type TextPage } from "@/server/tools/text-page";
import { earlierReads } from "../earlier-reads";
import { nearestPlace, rememberPlace } from "../known-places";
import { clampedInt, linesIn, maxLinesPerPage, pageSentence } from "./page-arguments";
import { assertText, imageTypeOf } from "./text-file";

const maxImageBytes = 20 * 1_048_576;

export const readFile = defineTool({
  name: "read_file",
  title: "Read a file",
  description:
    "Reads a text file of the workspace by lines, each after its number and a tab. A page has at most 1,000 lines and 30 KB; its first line says where the next page begins. An image (PNG, JPEG, GIF, WebP) is shown as an image. A page read before is answered `unchanged` once.",
  family: "files",
  tier: "core",
  effect: "read",
  needs: [files, earlierReads],
  aliases: ["ReadFileTool", "read", "view_file", "cat"],
  parameterAliases: {
    ...pathAliases,
    start_line: "startLine",
    fromLine: "startLine",
    offset: "startLine",
    end_line: "endLine",
    toLine: "endLine",
    start_column: "startColumn",
    max_lines: "maxLines",
    lineCount: "maxLines",
    limit: "maxLines",
  },
  primaryArgument: "path",
  neverSpilled: true,
  linesRead: linesIn,
  input: z.object({
    path: PathArgument.describe("Relative to the workspace"),
    startLine: clampedInt({ min: 1 }).prefault(1).describe("First line, from 1"),
    endLine: clampedInt({ min: 1 }).optional().describe("Last line"),
    startColumn: clampedInt({ min: 1 }).prefault(1).describe("First character of startLine, from 1"),
    maxLines: clampedInt({ min: 1, max: maxLinesPerPage }).prefault(maxLinesPerPage).describe("At most 1,000"),
  }),
  effects: ({ path }) => [reads("/path", path)],
  async execute(args, { files, earlier_reads, signal }) {
    const { path, startLine, endLine, startColumn, maxLines } = args;
    if (endLine !== undefined && endLine < startLine) {
      throw new AppError("invalid", `endLine ${endLine} lies before startLine ${startLine}. Send them the other way round.`);
    }
    const mediaType = await withSimilarPaths(path, { files, signal }, () => imageTypeOfFile(path, files));
    if (mediaType !== null) return showImage(path, mediaType, files);
    const page = await pageOf({ startLine, startColumn, endLine: endLine ?? null, maxLines }, { path, files, signal });
    const text = `${path}: ${pageSentence(startLine, page)}\n${page.content}`;
    const unchanged = `${path}: unchanged since this conversation read the same lines; that result still holds. To see them again, send the call again.`;
    // The results are compared and not the times, because the clocks of database and files may differ.
    const isKnown = text.length > unchanged.length * 2 && (await earlier_reads.newestResult("read_file", args)) === text;
    return isKnown ? unchanged : text;
  },
});

type Source = { path: string; files: FilesCapability; signal: AbortSignal };

/** Reads a page, from the last known place before it. */
async function pageOf(request: PageRequest, { path, files, signal }: Source): Promise<TextPage> {
  const { version, bytes } = await files.stat(path);
  const origin = nearestPlace(version, { line: request.startLine, column: request.startColumn });
  const chunks = files.readChunks(path, { start: origin.byte, isTransient: true });
  const page = await readPage(origin.byte === 0 ? checkedText(path, chunks, signal) : untilAborted(chunks, signal), request, { origin });
  const { nextStartLine: line, nextStartColumn, nextByte } = page;
  if (line !== null && nextByte !== null)
    rememberPlace(version, bytes, { line, column: nextStartColumn ?? 1, byte: origin.byte + nextByte });
  return page;
}

async function imageTypeOfFile(path: string, files: FilesCapability): Promise<string | null> {
  for await (const beginning of files.readChunks(path)) return imageTypeOf(beginning);
  return null;
}

async function showImage(path: string, mediaType: string, files: FilesCapability): Promise<ToolResult> {
  const bytes = await files.readBytes(path, { maxBytes: maxImageBytes });
  const size = imageCost(bytes);
  const pixels = size ? `, ${size.width} × ${size.height} pixels` : "";
  const text = `${path}: an image (${mediaType}${pixels}, ${bytes.byteLength.toLocaleString("en")} bytes).`;
  return toolResult({ text, files: [{ name: posix.basename(path), mediaType, bytes }] });
}

async function* untilAborted(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}

async function* checkedText(path: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  let isFirst = true;
  for await (const chunk of untilAborted(chunks, signal)) {
    if (isFirst) assertText(path, chunk);
    isFirst = false;
    yield chunk;
  }
}
