/**
 * Prints the size and shape of a checkout: `node scripts/figures.ts [folder]`. Lines count as they stand in the file, without tests and
 * generated files.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const own = path.resolve(import.meta.dirname, "..");
const root = path.resolve(process.argv[2] ?? own);
const productFolders = ["app", "components", "contracts", "db", "server"];
const source = /\.(ts|tsx|css|mjs)$/;
const test = /\.(test|spec)\.tsx?$|(^|\/)(testing|corpus)\//;
const generated =
  /^contracts\/(browser\/|generated)|^db\/schema\/index\.ts$|^components\/pages\/frame\/destinations\.ts$|^server\/families\/environment\.ts$|^app\/api\/v1\/routes\.ts$/;
const maxFunctionLines = 60;
const maxFlatFiles = 40;

const files = productFolders.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && source.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
);
const product = files.filter((file) => !test.test(file) && !generated.test(file));
const lineCount = (of: readonly string[]) =>
  of.reduce((sum, file) => sum + readFileSync(path.join(root, file), "utf8").split("\n").length - 1, 0);
const within =
  (...folders: string[]) =>
  (file: string) =>
    folders.some((folder) => file.startsWith(`${folder}/`));

/** Folders with more files of their own, tests included, than anybody reads as one list. */
function flatFolders(): string[] {
  return [...Map.groupBy(files, (file) => path.dirname(file))]
    .filter(([, inside]) => inside.length > maxFlatFiles)
    .map(([folder, inside]) => `${folder} ${inside.length}`);
}

function longFunctions(): number {
  const config = path.join(tmpdir(), `handrail-figures-${process.pid}`);
  const rule = "noExcessiveLinesPerFunction";
  const settings = {
    linter: { rules: { recommended: false, complexity: { [rule]: { level: "warn", options: { maxLines: maxFunctionLines } } } } },
  };
  writeFileSync(`${config}.json`, JSON.stringify(settings));
  const biome = path.join(own, "node_modules/@biomejs/biome/bin/biome");
  const options = [
    "lint",
    `--config-path=${config}.json`,
    "--reporter=json",
    "--max-diagnostics=none",
    ...product.filter((file) => /tsx?$/.test(file)),
  ];
  const { stdout } = spawnSync(process.execPath, [biome, ...options], { cwd: root, encoding: "utf8", maxBuffer: 256 * 1_048_576 });
  rmSync(`${config}.json`);
  const diagnostics: { category: string }[] = JSON.parse(stdout).diagnostics;
  // With one rule on, Biome also reports every suppression of another rule as unused.
  return diagnostics.filter(({ category }) => category.endsWith(`/${rule}`)).length;
}

/** Counts the CSS rules that say to the letter what another one says. */
function repeatedRules(): string {
  const rules = product
    .filter((file) => file.endsWith(".module.css"))
    .flatMap((file) =>
      [...readFileSync(path.join(root, file), "utf8").matchAll(/^\.[\w-]+ \{([^{}]*)\}/gm)].map(([, body = ""]) =>
        body.replace(/\s+/g, " "),
      ),
    );
  const repeated = [...Map.groupBy(rules, (rule) => rule).values()].filter(({ length }) => length > 1);
  return `${repeated.reduce((sum, { length }) => sum + length, 0)} of ${rules.length}`;
}

const guard = files.filter(within("server/guard", "server/policy"));
const rows: [string, string | number][] = [
  ["product, lines", lineCount(product)],
  ["product, files", product.length],
  ["route files", files.filter((file) => file.endsWith("/route.ts")).length],
  [`functions over ${maxFunctionLines} lines`, longFunctions()],
  [`folders of over ${maxFlatFiles} files`, flatFolders().join(", ") || "none"],
  ["guard and policy, lines", lineCount(guard.filter((file) => product.includes(file)))],
  ["their tests, lines", lineCount(guard.filter((file) => /\.test\.ts$/.test(file)))],
  ["CSS rules that repeat another", repeatedRules()],
];
for (const [name, value] of rows) console.log(`${name.padEnd(34)}${value}`);
