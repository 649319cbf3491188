import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareFolder } from "./prepare-folder";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "handrail-folder-"));
  await writeFile(path.join(folder, "file"), "");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a folder is made with its parents, closed to other users, and left empty", async () => {
  const deep = path.join(folder, "a/b/c");
  await prepareFolder(deep, "HANDRAIL_DATA_DIR");
  await prepareFolder(deep, "HANDRAIL_DATA_DIR");
  expect((await stat(deep)).mode & 0o777).toBe(0o700);
});

test.each([
  ["below a file", () => path.join(folder, "file/data"), "something in its path is a file"],
  ["a file itself", () => path.join(folder, "file"), "something in its path is a file"],
])("a folder that is %s is refused with the variable to change", async (_what, at, reason) => {
  const refusal = prepareFolder(at(), "HANDRAIL_WORKSPACE_ROOT");
  await expect(refusal).rejects.toThrow(reason);
  await expect(refusal).rejects.toThrow("HANDRAIL_WORKSPACE_ROOT");
});

test.runIf(process.platform === "linux")("a folder that the system does not let be made is refused at once", async () => {
  await expect(prepareFolder("/proc/handrail/data", "HANDRAIL_DATA_DIR")).rejects.toThrow("/proc/handrail/data cannot be written to");
});
