/**
 * Writes generated files: import rules from the layers, tools, variables and capability names from the families; lists, navigation, OpenAPI
 * document and the browser's contracts from the contracts; migrations and the schema's index from its files.
 * With `--check` it changes nothing and fails when something generated is not current.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text as textOf } from "node:stream/consumers";

const root = path.resolve(import.meta.dirname, "..");
const browserContracts = "contracts/browser";
const derived = [
  "contracts/generated.ts",
  "contracts/generated-tools.ts",
  "contracts/generated-work.ts",
  "components/pages/frame/destinations.ts",
  "db/schema/index.ts",
  "server/families/environment.ts",
];
const generated = [
  "drizzle",
  "public/openapi.json",
  "docs/tools.md",
  "docs/glossary.md",
  "docs/operating/settings.md",
  "docs/architecture.md",
  "biome.json",
  browserContracts,
  ...derived,
];
const onlyCheck = process.argv.includes("--check");

async function run(command: string, ...options: string[]): Promise<void> {
  const script = realpathSync(path.join(root, "node_modules/.bin", command));
  const child = spawn(process.execPath, [script, ...options], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const outputs = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const [status] = await once(child, "close");
  const [output, errors] = await outputs;
  if (status === 0) {
    if (!onlyCheck) process.stdout.write(output);
    return;
  }
  console.error(`${output}${errors}`);
  console.error(`generate: ${command} ${options.join(" ")} failed.`);
  process.exitCode = 1;
}

/** The generated files as they are now, by path. */
function snapshot(): Map<string, string> {
  const files = generated
    .map((place) => path.join(root, place))
    .filter((place) => existsSync(place))
    .flatMap((place) =>
      statSync(place).isDirectory()
        ? readdirSync(place, { recursive: true, encoding: "utf8" }).map((file) => path.join(place, file))
        : [place],
    )
    .filter((file) => statSync(file).isFile());
  return new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
}

/** Puts the files back as they were. */
function restore(before: Map<string, string>): void {
  for (const file of snapshot().keys()) if (!before.has(file)) rmSync(file);
  for (const [file, text] of before) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const before = snapshot();
// Steps of one group read nothing that another one of it writes.
await Promise.all([run("tsx", "scripts/derive-layers.ts"), run("tsx", "scripts/schema-index.ts")]);
await run("tsx", "--conditions=react-server", "scripts/derive-contracts.ts");
await run("tsx", "--conditions=react-server", "scripts/derive-families.ts");
await Promise.all([run("drizzle-kit", "generate"), run("tsx", "--conditions=react-server", "scripts/openapi.ts")]);
await run("tsx", "scripts/browser-contracts.ts");
await run("biome", "check", "--write", "biome.json", browserContracts, ...derived);
const after = snapshot();
const changed = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));
const names = changed.map((file) => path.relative(root, file));

if (onlyCheck && changed.length > 0) restore(before);

if (after.size === 0) {
  console.error("generate: looked at no generated files; the script itself is broken.");
  process.exitCode = 1;
} else if (process.exitCode) {
  console.error("generate: a step failed, see above; what it writes is not current.");
} else if (!onlyCheck) {
  console.log(`generate: ${after.size} generated files, ${changed.length} changed${names.map((name) => `\n  ${name}`).join("")}`);
} else if (changed.length > 0) {
  console.error(`generate: not current: ${names.join(", ")}. Run "npm run generate" and commit what it writes.`);
  process.exitCode = 1;
} else {
  console.log(`generate: ${after.size} generated files are current`);
}
