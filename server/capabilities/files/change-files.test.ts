import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "@/server/testing/tool-context";
import { workspaceFiles } from "./workspace-files";

test("an error in the middle undoes the changes before it, and leaves nothing behind", async () => {
  const root = temporaryFolder();
  const at = (name: string) => path.join(root, name);
  for (const name of ["a.txt", "b.txt", "c.txt"]) writeFileSync(at(name), `old ${name}`);
  // The last file becomes a folder after its check, as a command beside the call could make it.
  const mayReplace = async ({ relative }: { relative: string }) => {
    if (relative !== "c.txt") return;
    rmSync(at("c.txt"));
    mkdirSync(at("c.txt"));
  };
  const bytes = Buffer.from("new");
  const changes = [
    { path: "a.txt", bytes },
    { path: "b.txt", bytes: null },
    { path: "d.txt", bytes, isNew: true },
    { path: "c.txt", bytes },
  ];
  await expect(workspaceFiles(root, { mayReplace }).changeFiles(changes)).rejects.toThrow();
  expect(readdirSync(root).sort()).toEqual(["a.txt", "b.txt", "c.txt"]);
  expect(["a.txt", "b.txt"].map((name) => readFileSync(at(name), "utf8"))).toEqual(["old a.txt", "old b.txt"]);
});
