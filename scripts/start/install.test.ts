import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hasDevPackages, missingPackages } from "./install.mjs";

const wanted = {
  "": { name: "handrail" },
  "node_modules/next": { version: "2.0.0", integrity: "sha512-next" },
  "node_modules/vitest": { version: "1.0.0", integrity: "sha512-vitest", dev: true },
  "node_modules/@next/swc-elsewhere": { version: "2.0.0", optional: true },
};
const { "node_modules/vitest": _, "node_modules/@next/swc-elsewhere": __, ...withoutDev } = wanted;
const complete = { ...withoutDev, "node_modules/vitest": wanted["node_modules/vitest"] };

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "handrail-install-"));
  await mkdir(path.join(root, "node_modules"));
  await writeFile(path.join(root, "package-lock.json"), JSON.stringify({ packages: wanted }));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const installed = (packages: object) => writeFile(path.join(root, "node_modules/.package-lock.json"), JSON.stringify({ packages }));

test("nothing installed, or an installation that was interrupted, is a first start", async () => {
  expect(missingPackages(root, { withDev: true })).toBe("first start");
  await writeFile(path.join(root, "node_modules/.package-lock.json"), '{"packages":');
  expect(missingPackages(root, { withDev: true })).toBe("first start");
});

test("a complete installation is left alone; what is for other machines may be absent", async () => {
  await installed(complete);
  expect(missingPackages(root, { withDev: true })).toBeNull();
});

test("packages for working on Handrail are asked for only then", async () => {
  await installed(withoutDev);
  expect(missingPackages(root, { withDev: false })).toBeNull();
  expect(missingPackages(root, { withDev: true })).toBe("vitest is missing");
});

test("another version, or other bytes of the same, are installed again", async () => {
  await installed({ ...complete, "node_modules/next": { version: "1.0.0", integrity: "sha512-next" } });
  expect(missingPackages(root, { withDev: false })).toBe("next has changed");
  await installed({ ...complete, "node_modules/next": { version: "2.0.0", integrity: "sha512-other" } });
  expect(missingPackages(root, { withDev: false })).toBe("next has changed");
});

test("a checkout that has packages for working on Handrail keeps them", async () => {
  expect(hasDevPackages(root)).toBe(false);
  await installed(withoutDev);
  expect(hasDevPackages(root)).toBe(false);
  await installed(complete);
  expect(hasDevPackages(root)).toBe(true);
});

test("a build needs no package for working on Handrail", async () => {
  const { dependencies } = JSON.parse(await readFile(path.join(import.meta.dirname, "../../package.json"), "utf8"));
  // Next installs the types by itself, over the network, where they are missing.
  expect(Object.keys(dependencies)).toEqual(
    expect.arrayContaining(["esbuild", "typescript", "@types/node", "@types/react", "@types/react-dom"]),
  );
});
