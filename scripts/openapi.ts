import { writeFileSync } from "node:fs";
import path from "node:path";
import { openApiDocument } from "@/server/http/openapi";

/** Writes public/openapi.json from the contracts; `npm run generate` calls it, and CI fails when that leaves a diff. */
const document = openApiDocument();
const file = path.resolve(import.meta.dirname, "../public/openapi.json");
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);

const operations = Object.values(document.paths ?? {}).reduce((count, item) => count + Object.keys(item).length, 0);
const schemas = Object.keys(document.components?.schemas ?? {}).length;
if (operations === 0) throw new Error("The contracts describe no endpoint");
process.stdout.write(`public/openapi.json: ${operations} operations, ${schemas} schemas\n`);
