import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import { notebookEdit } from "./notebook-edit";
import { notebookRead } from "./notebook-read";

const image = Buffer.from("picture").toString("base64");
const book = {
  cells: [
    { cell_type: "markdown", id: "intro", metadata: {}, source: ["# Title\n", "text"] },
    {
      cell_type: "code",
      id: "sum",
      metadata: { big: 0 },
      execution_count: 3,
      source: "1 + 1",
      outputs: [
        { output_type: "stream", name: "stdout", text: ["\u001b[31mred\u001b[0m\n"] },
        { output_type: "display_data", data: { "image/png": image, "text/plain": "<Figure>" } },
        { output_type: "error", ename: "ValueError", evalue: "no", traceback: [] },
      ],
    },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
};
const written = `${JSON.stringify(book, null, 1)}\n`.replace('"big": 0', '"big": 12345678901234567890');

function workspace(content: string = written) {
  const root = temporaryFolder();
  const file = path.join(root, "a.ipynb");
  writeFileSync(file, content);
  const given = { files: workspaceFiles(root) };
  return {
    read: (args: JsonObject = {}) => runTool(notebookRead, { notebook_path: "a.ipynb", ...args }, given),
    edit: (args: JsonObject) => runTool(notebookEdit, { path: "a.ipynb", ...args }, given),
    text: () => readFileSync(file, "utf8"),
    cells: () => JSON.parse(readFileSync(file, "utf8")).cells,
  };
}

test("cells are shown with their outputs, and images as images", async () => {
  expect(await workspace().read()).toMatchObject({
    text: [
      "a.ipynb: cells 0 to 1 of 2.",
      "[cell 0, id intro, markdown]\n# Title\ntext",
      "[cell 1, id sum, code]\n1 + 1",
      "[output] red\n",
      "[output] (image/png: cell-1-output-1.png)",
      "[error] ValueError: no",
    ].join("\n"),
    files: [{ name: "cell-1-output-1.png", mediaType: "image/png", bytes: Buffer.from("picture") }],
  });
});

test("a page of cells says where the next begins, and outputs can be left out", async () => {
  const { read } = workspace();
  expect(await read({ limit: 1 })).toBe("a.ipynb: cells 0 to 0 of 2. Go on with offset 1.\n[cell 0, id intro, markdown]\n# Title\ntext");
  expect(await read({ offset: 1, include_outputs: false })).toBe("a.ipynb: cells 1 to 1 of 2.\n[cell 1, id sum, code]\n1 + 1");
  await expect(read({ offset: 2 })).rejects.toThrow("behind its end");
});

describe("notebook_edit", () => {
  test("replaces a source, clears the outputs and keeps all else as written", async () => {
    const { edit, text, cells } = workspace();
    expect(await edit({ cell_id: "sum", new_source: "2\n3" })).toBe("Replaced cell 1 of a.ipynb.");
    expect(cells()[1]).toMatchObject({ source: ["2\n", "3"], outputs: [], execution_count: null, id: "sum" });
    expect(text()).toContain('"big": 12345678901234567890');
    expect(text().startsWith(written.slice(0, written.indexOf('"execution_count"')))).toBe(true);
  });

  test("inserts in front of a cell or at the end, with a new id", async () => {
    const { edit, cells, text } = workspace();
    await edit({ edit_mode: "insert", cell: 1, source: "new", cell_type: "markdown" });
    await edit({ action: "insert", source: "last" });
    expect(cells().map(({ source }: { source: unknown }) => source)).toEqual([["# Title\n", "text"], ["new"], "1 + 1", ["last"]]);
    expect(cells()[1]).toEqual({ cell_type: "markdown", id: expect.stringMatching(/^[0-9a-f]{8}$/), metadata: {}, source: ["new"] });
    expect(cells()[3]).toMatchObject({ cell_type: "code", outputs: [], execution_count: null });
    expect(text().split("\n")[0]).toBe("{");
  });

  test("deletes a cell, and changes the type of one", async () => {
    const { edit, cells } = workspace();
    await edit({ cell: 1, source: "text", cellType: "markdown" });
    expect(cells()[1]).toEqual({ cell_type: "markdown", id: "sum", metadata: { big: expect.any(Number) }, source: ["text"] });
    expect(await edit({ action: "delete", cell: 0 })).toBe("Deleted cell 0 of a.ipynb.");
    expect(cells()).toHaveLength(1);
  });

  test.each<[JsonObject, string]>([
    [{ source: "x" }, "action replace needs the cell"],
    [{ cell: 0 }, "action replace needs source"],
    [{ cell: 0, action: "delete", source: "x" }, "takes no source"],
    [{ cell: 2, source: "x" }, "has no cell 2. It has 2 cells"],
    [{ cell: "constructor", source: "x" }, "has no cell constructor"],
    [{ cell: 0, source: "x", path: "../a.ipynb" }, "outside the workspace"],
    [{ cell: 0, source: "x", path: "b.ipynb" }, "Did you mean a.ipynb?"],
  ])("refuses %j with what to do, and changes nothing", async (args, message) => {
    const { edit, text } = workspace();
    await expect(edit(args)).rejects.toThrow(message);
    expect(text()).toBe(written);
  });
});

test.each([
  ["{}", "is not a notebook of nbformat 4"],
  ['{"cells": [], "nbformat": 3}', "is not a notebook of nbformat 4"],
  ['{"cells": [{"source": 1, "cell_type": "code"}], "nbformat": 4}', "cells.0.source"],
  ['{"cells": [', "is not JSON: at line 1"],
])("%s is refused", async (content, message) => {
  await expect(workspace(content).read()).rejects.toThrow(message);
  await expect(workspace(content).edit({ cell: 0, source: "x" })).rejects.toThrow(message);
});
