import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { PathArgument, pathAliases, readPathDescription } from "@/server/capabilities/files/path-argument";
import { withSimilarPaths } from "@/server/capabilities/files/similar-paths";
import { reads } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { detectEncoding, encodingSampleBytes, inUtf8, type TextEncoding } from "@/server/platform/text-encoding/text-encoding";
import { defineTool, type ToolResult, toolResult } from "@/server/tools/define-tool";
import { countNewlines } from "@/server/tools/results/byte-counts";
import { imageCost } from "@/server/tools/results/image-tokens";
import { type PageRequest, readPage, type TextPage } from "@/server/tools/results/text-page";
import { earlierReads } from "../earlier-reads";
import { nearestPlace, rememberPlace } from "../known-places";
import { askedEncoding, encodingSentence } from "./file-text";
import { clampedInt, linesIn, maxLinesPerPage, pageSentence } from "./page-arguments";
import { assertText, imageTypeOf } from "./text-file";

const maxImageBytes = 20 * 1_048_576;
/** Larger files are guessed by their beginning only. */
const maxGuessedBytes = 16 * 1_048_576;

export const readFile = defineTool({
  name: "read_file",
  title: "Read a file",
  description:
    "Reads a text file of the workspace by lines, each after its number and a tab. A page has at most 1,000 lines and 30 KB; its first line says where the next page begins, and an encoding other than UTF-8. An image (PNG, JPEG, GIF, WebP) is shown as an image. A page read before is answered `unchanged` once.",
  family: "files",
  tier: "core",
  effect: "read",
  needs: [files, earlierReads],
  names: {
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
  },
  primaryArgument: "path",
  result: { neverSpilled: true, linesRead: linesIn },
  input: z.object({
    path: PathArgument.describe(readPathDescription),
    startLine: z
      .number()
      .transform((line) => Math.trunc(line) || 1)
      .prefault(1)
      .describe("First line, from 1; -20 for the last 20"),
    endLine: clampedInt({ min: 1 }).optional().describe("Last line"),
    startColumn: clampedInt({ min: 1 }).prefault(1).describe("First character of startLine, from 1"),
    maxLines: clampedInt({ min: 1, max: maxLinesPerPage }).prefault(maxLinesPerPage).describe("At most 1,000"),
    encoding: z.string().min(1).max(40).optional().describe("Of the text, such as windows-1252; found by default"),
  }),
  approval: {
    everydayAction: "read",
    effects: ({ path }) => [reads("/path", path)],
  },
  async execute(args, { files, earlier_reads, signal }) {
    const { path, endLine, startColumn, maxLines } = args;
    if (endLine !== undefined && args.startLine > 0 && endLine < args.startLine) {
      throw new AppError("invalid", `endLine ${endLine} lies before startLine ${args.startLine}. Send them the other way round.`);
    }
    const asked = args.encoding === undefined ? null : askedEncoding(args.encoding);
    const { beginning, isWhole } = await withSimilarPaths(path, { files, signal }, () => beginningOf(path, files));
    const mediaType = imageTypeOf(beginning);
    if (mediaType !== null) return showImage(path, mediaType, files);
    if (asked === null && beginning.byteLength > 0) assertText(path, beginning, (await files.stat(path)).name);
    const source = { path, files, signal };
    const read = async (encoding: TextEncoding) => {
      const startLine = args.startLine > 0 ? args.startLine : await lineFromEnd(-args.startLine, encoding, source);
      const page = await pageOf({ startLine, startColumn, endLine: endLine ?? null, maxLines }, encoding, source);
      return { startLine, page, encoding };
    };
    const first = await read(asked ?? detectEncoding(beginning, isWhole));
    const elsewhere = asked === null && first.page.hasForeignBytes ? await encodingBehind(source) : null;
    const { startLine, page, encoding } = elsewhere ? await read(elsewhere) : first;
    const sentences = [pageSentence(startLine, page), encodingSentence(encoding)];
    if (encoding.name !== "utf-8" && page.content.includes("\uFFFD"))
      sentences.push(`Bytes that are not ${encoding.name} are shown as \uFFFD.`);
    const text = `${path}: ${sentences.filter(Boolean).join(" ")}\n${page.content}`;
    const unchanged = `${path}: unchanged since this conversation read the same lines; that result still holds. To see them again, send the call again.`;
    // The results are compared and not the times, because the clocks of database and files may differ.
    const isKnown = text.length > unchanged.length * 2 && (await earlier_reads.newestResult("read_file", args)) === text;
    return isKnown ? unchanged : text;
  },
});

type Source = { path: string; files: FilesCapability; signal: AbortSignal };

/** Reads a page: of UTF-8 from the last known place before it, of other encodings from the beginning. */
async function pageOf(request: PageRequest, encoding: TextEncoding, { path, files, signal }: Source): Promise<TextPage> {
  if (encoding.name !== "utf-8") {
    return readPage(inUtf8(untilAborted(files.readChunks(path, { isTransient: true }), signal), encoding), request);
  }
  const { version, bytes } = await files.stat(path);
  const origin = nearestPlace(version, { line: request.startLine, column: request.startColumn });
  const chunks = files.readChunks(path, { start: origin.byte, isTransient: true });
  const page = await readPage(untilAborted(chunks, signal), request, { origin });
  const { nextStartLine: line, nextStartColumn, nextByte } = page;
  if (line !== null && nextByte !== null)
    rememberPlace(version, bytes, { line, column: nextStartColumn ?? 1, byte: origin.byte + nextByte });
  return page;
}

/** Returns the number of the line that begins the last `count` lines. */
async function lineFromEnd(count: number, encoding: TextEncoding, { path, files, signal }: Source): Promise<number> {
  const chunks = untilAborted(files.readChunks(path, { isTransient: true }), signal);
  let [lines, isLineOpen] = [0, false];
  for await (const chunk of encoding.name === "utf-8" ? chunks : inUtf8(chunks, encoding)) {
    lines += countNewlines(chunk);
    isLineOpen = chunk.at(-1) !== 0x0a;
  }
  return Math.max(1, lines + (isLineOpen ? 1 : 0) - count + 1);
}

/** Guesses the encoding of a file whose beginning is plain ASCII; null where it is UTF-8 all the same. */
async function encodingBehind({ path, files }: Source): Promise<TextEncoding | null> {
  const { bytes } = await files.stat(path);
  if (bytes > maxGuessedBytes) return null;
  const found = detectEncoding(await files.readBytes(path));
  return found.name === "utf-8" ? null : found;
}

async function beginningOf(path: string, files: FilesCapability): Promise<{ beginning: Uint8Array; isWhole: boolean }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of files.readChunks(path)) {
    parts.push(chunk);
    length += chunk.byteLength;
    if (length > encodingSampleBytes) return { beginning: Buffer.concat(parts), isWhole: false };
  }
  return { beginning: Buffer.concat(parts), isWhole: true };
}

async function showImage(path: string, mediaType: string, files: FilesCapability): Promise<ToolResult> {
  const bytes = await files.readBytes(path, { maxBytes: maxImageBytes });
  const size = imageCost(bytes);
  const pixels = size ? `, ${size.width} × ${size.height} pixels` : "";
  const text = `${path}: an image (${mediaType}${pixels}, ${bytes.byteLength.toLocaleString("en")} bytes).`;
  return toolResult({ text, files: [{ name: (await files.stat(path)).name, mediaType, bytes }] });
}

async function* untilAborted(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}
