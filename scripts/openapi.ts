import { writeFileSync } from "node:fs";
import path from "node:path";
import { openApiDocument } from "@/server/http/openapi";

/** Writes public/openapi.json from the contracts; `npm run generate` calls it, and CI fails when that leaves a diff. */
const document = openApiDocument();
const file = path.resolve(import.meta.dirname, "../public/openapi.json");

/** Writes the members of an object on a line each, down to a depth; so an endpoint and a schema are one line of a diff. */
function withLines(value: unknown, depth: number, indent = ""): string {
  if (depth === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const lines = members.map(([name, member]) => `${indent}  ${JSON.stringify(name)}: ${withLines(member, depth - 1, `${indent}  `)}`);
  return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n${indent}}`;
}

writeFileSync(file, `${withLines(document, 3)}\n`);

const operations = Object.values(document.paths ?? {}).reduce((count, item) => count + Object.keys(item).length, 0);
const schemas = Object.keys(document.components?.schemas ?? {}).length;
if (operations === 0) throw new Error("The contracts describe no endpoint");
process.stdout.write(`public/openapi.json: ${operations} operations, ${schemas} schemas\n`);
