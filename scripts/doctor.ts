/** `npm run doctor`: one line for each thing that Handrail needs. Exits with 1 when one of them is missing. */
import { existsSync } from "node:fs";
import path from "node:path";
import { diagnose } from "../server/start/diagnose";

process.chdir(path.resolve(import.meta.dirname, ".."));
// As at the start: the environment wins over both, the second file over the first. What is set already stays.
for (const file of [".env.local", ".env"]) if (existsSync(file)) process.loadEnvFile(file);

const findings = await diagnose(process.env);
const width = Math.max(...findings.map(({ name }) => name.length));
for (const { name, isGood, sentence } of findings) console.log(`${isGood ? "ok  " : "FAIL"}  ${name.padEnd(width)}  ${sentence}`);
process.exit(findings.every(({ isGood }) => isGood) ? 0 : 1);
