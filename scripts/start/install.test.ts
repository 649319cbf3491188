import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { missingPackages } from "./install.mjs";

const wanted = {
  "": { name: "handrail" },
  "node_modules/next": { version: "2.0.0", integrity: "sha512-next" },
  "node_modules/esbuild": { version: "1.0.0", integrity: "sha512-esbuild", dev: true },
  "node_modules/@next/swc-elsewhere": { version: "2.0.0", optional: true },
};
const { "node_modules/esbuild": _, "node_modules/@next/swc-elsewhere": __, ...withoutDev } = wanted;
const complete = { ...withoutDev, "node_modules/esbuild": wanted["node_modules/esbuild"] };

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "handrail-install-"));
  await mkdir(path.join(root, "node_modules"));
  await writeFile(path.join(root, "package-lock.json"), JSON.stringify({ packages: wanted }));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const installed = (packages: object) => writeFile(path.join(root, "node_modules/.package-lock.json"), JSON.stringify({ packages }));

test("nothing installed, or an installation that was interrupted, is a first start", async () => {
  expect(missingPackages(root, { forBuilding: true })).toBe("first start");
  await writeFile(path.join(root, "node_modules/.package-lock.json"), '{"packages":');
  expect(missingPackages(root, { forBuilding: true })).toBe("first start");
});

test("a complete installation is left alone; what is for other machines may be absent", async () => {
  await installed(complete);
  expect(missingPackages(root, { forBuilding: true })).toBeNull();
});

test("what only building needs is asked for only then", async () => {
  await installed(withoutDev);
  expect(missingPackages(root, { forBuilding: false })).toBeNull();
  expect(missingPackages(root, { forBuilding: true })).toBe("esbuild is missing");
});

test("another version, or other bytes of the same, are installed again", async () => {
  await installed({ ...complete, "node_modules/next": { version: "1.0.0", integrity: "sha512-next" } });
  expect(missingPackages(root, { forBuilding: false })).toBe("next has changed");
  await installed({ ...complete, "node_modules/next": { version: "2.0.0", integrity: "sha512-other" } });
  expect(missingPackages(root, { forBuilding: false })).toBe("next has changed");
});
