import { randomBytes } from "node:crypto";
import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { ChangedPathArgument, pathAliases } from "@/server/capabilities/files/path-argument";
import { writes } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { insertJson, removeJson, setJson } from "../json/json-edit";
import { nullIfRefused } from "../null-if-refused";
import { cellIndex, cellTypes, notebookPathAliases, parseNotebook, readNotebook } from "./notebook";

const maxSourceChars = 512 * 1_024;

export const notebookEdit = defineTool({
  name: "notebook_edit",
  title: "Edit a notebook",
  description:
    "Changes one cell of a Jupyter notebook (.ipynb). action replace puts source for the cell's source and clears its outputs; insert adds a cell in front of the cell, or at the end without cell; delete removes the cell. cell is an index from 0 or an id, as notebook_read shows.",
  family: "files",
  tier: "extension",
  effect: "write",
  needs: [files],
  names: {
    aliases: ["NotebookEditTool", "edit_notebook", "NotebookEdit"],
    parameterAliases: {
      ...pathAliases,
      ...notebookPathAliases,
      cell_index: "cell",
      cellIndex: "cell",
      cell_number: "cell",
      cell_id: "cell",
      cellId: "cell",
      new_source: "source",
      newSource: "source",
      content: "source",
      cell_type: "cellType",
      type: "cellType",
      edit_mode: "action",
      editMode: "action",
      mode: "action",
    },
  },
  primaryArgument: "path",
  approval: {
    dangerous: true,
    effects: ({ path }) => [writes("/path", path)],
    changesFile: ({ path, ...change }) => ({
      path,
      after: (before) => nullIfRefused(() => editNotebook(path, before, change).after),
    }),
  },
  input: z
    .object({
      path: ChangedPathArgument.describe("Relative to the workspace"),
      action: z.enum(["replace", "insert", "delete"]).default("replace").describe("What to do with the cell"),
      cell: z
        .union([z.int().min(0), z.string().min(1).max(200)])
        .optional()
        .describe("Index from 0, or the cell's id"),
      source: z.string().max(maxSourceChars).optional().describe("The cell's new source"),
      cellType: z.enum(cellTypes).optional().describe("Default: that of the cell; code for a new cell"),
    })
    .superRefine(({ action, cell, source }, context) => {
      const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      if (action !== "insert" && cell === undefined) refuse("cell", `action ${action} needs the cell`);
      if (action !== "delete" && source === undefined) refuse("source", `action ${action} needs source`);
      if (action === "delete" && source !== undefined) refuse("source", "action delete takes no source");
    }),
  async execute({ path, ...change }, { files, signal }) {
    const { text } = await readNotebook(path, { files, signal });
    const { after, said } = editNotebook(path, text, change);
    if (after === text) throw new AppError("invalid", "The cell has this source already, so nothing would change.");
    await files.writeBytes(path, Buffer.from(after), { isEdit: true });
    return said;
  },
});

type Change = {
  action: "replace" | "insert" | "delete";
  cell?: string | number | undefined;
  source?: string | undefined;
  cellType?: (typeof cellTypes)[number] | undefined;
};

function editNotebook(path: string, text: string, { action, cell, source = "", cellType }: Change): { after: string; said: string } {
  const notebook = parseNotebook(path, text);
  const index = cell === undefined ? notebook.cells.length : cellIndex(path, notebook, cell);
  const place = ["cells", String(index)];
  if (action === "delete") return { after: removeJson(path, text, place), said: `Deleted cell ${index} of ${path}.` };
  if (action === "insert") {
    const id = notebook.nbformat_minor >= 5 ? { id: newCellId(notebook.cells.map((other) => other.id)) } : {};
    const type = cellType ?? "code";
    const outputs = type === "code" ? { execution_count: null, outputs: [] } : {};
    const made = { cell_type: type, ...id, metadata: {}, ...outputs, source: linesOf(source) };
    return { after: insertJson(path, text, ["cells"], index, made), said: `Inserted cell ${index} into ${path}.` };
  }
  const old = notebook.cells[index];
  const type = cellType ?? old?.cell_type;
  let after = setJson(path, text, [...place, "source"], linesOf(source));
  if (type !== old?.cell_type) after = setJson(path, after, [...place, "cell_type"], type);
  for (const [name, empty] of [
    ["outputs", []],
    ["execution_count", null],
  ] as const) {
    if (type === "code") after = setJson(path, after, [...place, name], empty);
    else if (old && Object.hasOwn(old, name)) after = removeJson(path, after, [...place, name]);
  }
  return { after, said: `Replaced cell ${index} of ${path}.` };
}

/** Splits a source as notebooks keep it: every line but the last ends with a line break. */
const linesOf = (source: string): string[] => source.split(/(?<=\n)/);

function newCellId(taken: readonly (string | undefined)[]): string {
  while (true) {
    const id = randomBytes(4).toString("hex");
    if (!taken.includes(id)) return id;
  }
}
