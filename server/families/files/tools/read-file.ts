import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { reads } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { readPage } from "@/server/tools/text-page";
import { clampedInt, maxLinesPerPage, pageSentence } from "./page-arguments";
import { PathArgument } from "./path-argument";
import { withSimilarPaths } from "./similar-paths";
import { assertText } from "./text-file";

export const readFile = defineTool({
  name: "read_file",
  title: "Read a file",
  description:
    "Reads a text file of the workspace by lines, each after its number and a tab. A page has at most 1,000 lines and 30 KB; its first line says where the next page begins.",
  family: "files",
  tier: "core",
  effect: "read",
  needs: [files],
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
  readsWholeFile: true,
  input: z.object({
    path: PathArgument.describe("Relative to the workspace"),
    startLine: clampedInt({ min: 1 }).default(1).describe("First line, from 1"),
    endLine: clampedInt({ min: 1 }).optional().describe("Last line"),
    startColumn: clampedInt({ min: 1 }).default(1).describe("First character of startLine, from 1"),
    maxLines: clampedInt({ min: 1, max: maxLinesPerPage }).default(maxLinesPerPage).describe("At most 1,000"),
  }),
  effects: ({ path }) => [reads("/path", path)],
  async execute({ path, startLine, endLine, startColumn, maxLines }, { files, signal }) {
    if (endLine !== undefined && endLine < startLine) {
      throw new AppError("invalid", `endLine ${endLine} lies before startLine ${startLine}. Send them the other way round.`);
    }
    const request = { startLine, startColumn, endLine: endLine ?? null, maxLines };
    const page = await withSimilarPaths(path, { files, signal }, () => readPage(renderPage(path, files.readChunks(path), signal), request));
    return `${path}: ${pageSentence(startLine, page)}\n${page.content}`;
  },
});

async function* renderPage(path: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  let isFirst = true;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    if (isFirst) assertText(path, chunk);
    isFirst = false;
    yield chunk;
  }
}
