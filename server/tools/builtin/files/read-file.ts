import { z } from "zod";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "../../define-tool";
import { PathArgument } from "./path-argument";
import { assertText } from "./text-file";
import { maxPageBytes, readPage, type TextPage } from "./text-page";

const maxLinesPerPage = 1_000;

export const readFile = defineTool({
  name: "read_file",
  title: "Read a file",
  description:
    "Reads a text file of the workspace by lines, each prefixed with its number and a tab. A page has at most 1,000 lines and 30 KB; when truncated, go on with startLine = nextStartLine, and startColumn = nextStartColumn if that is given.",
  family: "files",
  tier: "core",
  effect: "read",
  needs: ["files"],
  aliases: ["ReadFileTool", "read", "view_file", "cat"],
  parameterAliases: {
    filePath: "path",
    file_path: "path",
    filename: "path",
    file: "path",
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
  input: z.object({
    path: PathArgument.describe("Relative to the workspace"),
    startLine: z.int().min(1).default(1).describe("First line, from 1"),
    endLine: z.int().min(1).optional().describe("Last line"),
    startColumn: z.int().min(1).default(1).describe("First character of startLine, from 1"),
    maxLines: z.int().min(1).max(maxLinesPerPage).default(maxLinesPerPage).describe("At most 1,000"),
  }),
  async execute({ path, startLine, endLine, startColumn, maxLines }, { files, signal }) {
    if (endLine !== undefined && endLine < startLine) {
      throw new AppError("invalid", `endLine ${endLine} lies before startLine ${startLine}. Send them the other way round.`);
    }
    const page = await readPage(textOf(path, files.readChunks(path), signal), {
      startLine,
      startColumn,
      endLine: endLine ?? null,
      maxLines,
    });
    const { nextStartLine, nextStartColumn } = page;
    return {
      path,
      totalLines: page.totalLines,
      startLine,
      startColumn,
      endLine: page.endLine,
      readLines: page.readLines,
      content: page.content,
      truncated: page.truncated,
      ...(nextStartLine === null ? {} : { nextStartLine }),
      ...(nextStartColumn === null ? {} : { nextStartColumn }),
      lineTruncated: page.lineTruncated,
      message: describe(startLine, page),
    };
  },
});

async function* textOf(path: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  let isFirst = true;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    if (isFirst) assertText(path, chunk);
    isFirst = false;
    yield chunk;
  }
}

function describe(startLine: number, page: TextPage): string {
  const { totalLines, endLine, truncated, nextStartLine, nextStartColumn, hasForeignBytes } = page;
  const total = totalLines === null ? "a file too large to count its lines" : `${totalLines}`;
  const sentences = [totalLines === 0 ? "The file is empty." : `Lines ${startLine} to ${endLine} of ${total}.`];
  if (truncated && nextStartColumn !== null) {
    const limit = maxPageBytes.toLocaleString("en");
    sentences.push(
      `Line ${endLine} has more than ${limit} bytes. Go on with startLine ${nextStartLine} and startColumn ${nextStartColumn}.`,
    );
  } else if (truncated) {
    sentences.push(`Go on with startLine ${nextStartLine}.`);
  }
  if (hasForeignBytes) sentences.push("Bytes that are not UTF-8 are shown as \uFFFD.");
  return sentences.join(" ");
}
