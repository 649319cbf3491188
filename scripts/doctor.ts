/**
 * `npm run doctor [-- --offline] [-- --json]`: one line for each thing that Handrail needs, with the way out of each
 * failure. Exits with 1 when one of them failed.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { CheckStatus } from "../contracts/operations/doctor";
import { diagnose } from "../server/start/diagnose";

const { values } = parseArgs({ options: { offline: { type: "boolean", default: false }, json: { type: "boolean", default: false } } });

process.chdir(path.resolve(import.meta.dirname, ".."));
// As at the start: the environment wins over both, the second file over the first. What is set already stays.
for (const file of [".env.local", ".env"]) if (existsSync(file)) process.loadEnvFile(file);

const marks: Record<CheckStatus, string> = { ok: "ok  ", warning: "WARN", failed: "FAIL", skipped: "--  " };

const checks = await diagnose(process.env, { isOffline: values.offline });
if (values.json) console.log(JSON.stringify({ items: checks }, null, 2));
else {
  const width = Math.max(...checks.map(({ name }) => name.length));
  for (const { name, status, sentence, wayOut } of checks) {
    console.log(`${marks[status]}  ${name.padEnd(width)}  ${sentence}${wayOut ? ` ${wayOut}` : ""}`);
  }
}
process.exit(checks.some(({ status }) => status === "failed") ? 1 : 0);
