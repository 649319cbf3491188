import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { PathArgument, pathAliases, readPathDescription } from "@/server/capabilities/files/path-argument";
import { reads } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool, toolResult } from "@/server/tools/define-tool";
import { clampedInt } from "../page-arguments";
import { type Cell, joined, notebookPathAliases, type Output, readNotebook } from "./notebook";

const maxPageChars = 30_000;
const maxSourceChars = 10_000;
const maxOutputChars = 1_500;
const maxImages = 4;
const maxImageChars = 4_000_000;

export const notebookRead = defineTool({
  name: "notebook_read",
  title: "Read a notebook",
  description:
    "Shows the cells of a Jupyter notebook (.ipynb) with index, id, type and source, and their outputs as text; images of outputs follow as images. A page has at most 50 cells and 30,000 characters; its first line says where the next page begins.",
  family: "files",
  tier: "extension",
  effect: "read",
  needs: [files],
  names: {
    aliases: ["NotebookReadTool", "read_notebook", "NotebookRead"],
    parameterAliases: { ...pathAliases, ...notebookPathAliases, start: "offset", maxCells: "limit", include_outputs: "includeOutputs" },
  },
  primaryArgument: "path",
  result: {
    neverSpilled: true,
    // A part of the file: enough to edit it, not to replace it.
    linesRead: () => ({ from: 1, to: 1, total: 2 }),
  },
  input: z.object({
    path: PathArgument.describe(readPathDescription),
    offset: clampedInt({ min: 0 }).prefault(0).describe("First cell to show, from 0"),
    limit: clampedInt({ min: 1, max: 50 }).prefault(50).describe("Cells a page"),
    includeOutputs: z.boolean().default(true).describe("Show the cells' outputs"),
  }),
  approval: { effects: ({ path }) => [reads("/path", path)] },
  async execute({ path, offset, limit, includeOutputs }, { files, signal }) {
    const { cells } = (await readNotebook(path, { files, signal })).notebook;
    if (cells.length === 0) return `${path}: a notebook without cells.`;
    if (offset >= cells.length) {
      throw new AppError("invalid", `${path} has ${cells.length} cells, so offset ${offset} is behind its end. Send less.`);
    }
    const images: Image[] = [];
    const shown: string[] = [];
    let chars = 0;
    for (const [place, cell] of cells.slice(offset, offset + limit).entries()) {
      const text = showCell(cell, offset + place, includeOutputs ? images : null);
      if (shown.length > 0 && chars + text.length > maxPageChars) break;
      chars += text.length;
      shown.push(text);
    }
    const next = offset + shown.length;
    const onwards = next < cells.length ? ` Go on with offset ${next}.` : "";
    const text = `${path}: cells ${offset} to ${next - 1} of ${cells.length}.${onwards}\n${shown.join("\n")}`;
    const pictures = images
      .slice(0, maxImages)
      .map(({ name, mediaType, base64 }) => ({ name, mediaType, bytes: Buffer.from(base64, "base64") }));
    return pictures.length === 0 ? text : toolResult({ text, files: pictures });
  },
});

type Image = { name: string; mediaType: string; base64: string };

/** Writes a cell as text. `images` collects the images of outputs; null leaves outputs out. */
function showCell({ cell_type, id, source, outputs = [] }: Cell, index: number, images: Image[] | null): string {
  const title = `[cell ${index}${id === undefined ? "" : `, id ${id}`}, ${cell_type}]`;
  const parts = [title, cut(joined(source), maxSourceChars)];
  if (images) for (const [place, output] of outputs.entries()) parts.push(showOutput(output, `cell-${index}-output-${place}`, images));
  return parts.join("\n");
}

function showOutput({ output_type, text, data = {}, ...rest }: Output, name: string, images: Image[]): string {
  if (text !== undefined) return `[output] ${cut(plain(joined(text)), maxOutputChars)}`;
  if (output_type === "error") return `[error] ${cut(`${String(rest.ename)}: ${String(rest.evalue)}`, maxOutputChars)}`;
  for (const mediaType of ["image/png", "image/jpeg"]) {
    const image = data[mediaType];
    const base64 = typeof image === "string" ? image : Array.isArray(image) ? image.join("") : null;
    if (base64 === null) continue;
    if (base64.length > maxImageChars || images.length >= maxImages) return `[output] (${mediaType}, not shown)`;
    const file = `${name}.${mediaType.slice(6)}`;
    images.push({ name: file, mediaType, base64 });
    return `[output] (${mediaType}: ${file})`;
  }
  const shown = data["text/plain"];
  if (typeof shown === "string" || Array.isArray(shown))
    return `[output] ${cut(plain(joined(shown as string | string[])), maxOutputChars)}`;
  return `[output] (${Object.keys(data).slice(0, 5).join(", ") || output_type}, not shown)`;
}

/** Removes the colour codes that terminals read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with this sign
const plain = (text: string): string => text.replaceAll(/\u001b\[[0-9;]*[A-Za-z]/g, "");

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}… (${text.length.toLocaleString("en")} characters)`;
}
