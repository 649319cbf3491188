import { globSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Writes db/schema/index.ts from the files beside and below it; `npm run generate` calls it, and CI fails when that leaves a diff. */
const folder = path.resolve(import.meta.dirname, "../db/schema");
const files = globSync("**/*.ts", { cwd: folder })
  .map((file) => file.split(path.sep).join("/"))
  .filter((file) => file !== "index.ts" && !file.endsWith(".test.ts"))
  .sort();
if (files.length === 0) throw new Error("The schema has no file");
writeFileSync(path.join(folder, "index.ts"), files.map((file) => `export * from "./${file.replace(/\.ts$/, "")}";\n`).join(""));
process.stdout.write(`db/schema/index.ts: ${files.length} files\n`);
