import { z } from "zod";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { AppError } from "@/server/platform/errors";
import { readJsonText } from "../json/json-file";
import { JsonText } from "../json/json-text";

const Lines = z.union([z.string(), z.array(z.string())]);
const Output = z.looseObject({ output_type: z.string(), text: Lines.optional(), data: z.record(z.string(), z.unknown()).optional() });
export type Output = z.infer<typeof Output>;
const Cell = z.looseObject({ cell_type: z.string(), source: Lines, id: z.string().optional(), outputs: z.array(Output).optional() });
export type Cell = z.infer<typeof Cell>;
const Notebook = z.looseObject({ cells: z.array(Cell), nbformat: z.literal(4), nbformat_minor: z.int().default(0) });
export type Notebook = z.infer<typeof Notebook>;

export const cellTypes = ["code", "markdown", "raw"] as const;
export const notebookPathAliases = { notebook_path: "path", notebookPath: "path", notebook: "path" } as const;

/** Returns a Jupyter notebook (nbformat 4) and its text. @throws AppError `invalid` for any other file. */
export async function readNotebook(
  path: string,
  context: { files: FilesCapability; signal: AbortSignal },
): Promise<{ text: string; notebook: Notebook }> {
  const text = await readJsonText(path, context);
  return { text, notebook: parseNotebook(path, text) };
}

export function parseNotebook(path: string, text: string): Notebook {
  // The reader of places says where a mistake is, which the parser of values does not.
  new JsonText(path, text).assertValid();
  const parsed = Notebook.safeParse(parsedOrNull(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue ? ` (${issue.path.join(".") || "the whole"}: ${issue.message})` : "";
  throw new AppError("invalid", `${path} is not a notebook of nbformat 4${at}. json_read and read_file show what it holds.`);
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const joined = (lines: string | readonly string[]): string => (typeof lines === "string" ? lines : lines.join(""));

/** Returns the index of a cell by its id or its index. @throws AppError `not_found` that says which cells exist. */
export function cellIndex(path: string, { cells }: Notebook, cell: string | number): number {
  const byId = typeof cell === "string" ? cells.findIndex(({ id }) => id === cell) : -1;
  const index = byId >= 0 ? byId : /^\d+$/.test(String(cell)) ? Number(cell) : -1;
  if (index >= 0 && index < cells.length) return index;
  const has = cells.length === 0 ? "no cells" : `${cells.length} cells, the first is 0`;
  throw new AppError("not_found", `${path} has no cell ${String(cell).slice(0, 100)}. It has ${has}; notebook_read shows them.`);
}
