import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";

/** Runs the acceptance with the real coding agents from npm, and writes the result as a table into the documentation. */

const root = path.resolve(import.meta.dirname, "..");
const documentation = path.join(root, "docs/coding-agents.md");
const marks = { from: "<!-- coding agents: written by npm run check:coding-agents -->", to: "<!-- end of coding agents -->" };

const acceptance = ["real-clients", "clients-at-work"].map((name) => `server/families/coding-agents/${name}.long.test.ts`);

const Result = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() })),
    }),
  ),
});

function runTests(): z.infer<typeof Result> {
  const folder = mkdtempSync(path.join(tmpdir(), "handrail-check-"));
  const file = path.join(folder, "result.json");
  try {
    const args = ["node_modules/vitest/vitest.mjs", "run", ...acceptance];
    spawnSync(process.execPath, [...args, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`], {
      cwd: root,
      env: { ...process.env, CI: "1" },
      stdio: "inherit",
    });
    return Result.parse(JSON.parse(readFileSync(file, "utf8")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const words: Readonly<Record<string, string>> = { passed: "passed", failed: "**FAILED**" };

/** Builds the table: a line for each test, a column for each client. A test that did not run is not counted as passed. */
function tableOf({ testResults }: z.infer<typeof Result>): string {
  const found = testResults.flatMap(({ assertionResults }) => assertionResults);
  const clients = [...new Set(found.map(({ ancestorTitles: [client = ""] }) => client))];
  const titles = [...new Set(found.map(({ title }) => title))];
  const cell = (client: string, title: string) => {
    const status = found.find((one) => one.ancestorTitles[0] === client && one.title === title)?.status;
    return status === undefined ? "–" : (words[status] ?? "not run");
  };
  const passed = found.filter(({ status }) => status === "passed").length;
  return [
    `Last result, ${new Date().toISOString().slice(0, 10)}: ${passed} of ${found.length} passed. Cursor has no program on npm, so it is not among them.`,
    "",
    `| test | ${clients.join(" | ")} |`,
    `|---|${clients.map(() => "---|").join("")}`,
    ...titles.map((title) => `| ${title} | ${clients.map((client) => cell(client, title)).join(" | ")} |`),
  ].join("\n");
}

const result = runTests();
const text = readFileSync(documentation, "utf8");
const [before = "", rest] = text.split(marks.from);
const [, after] = rest?.split(marks.to) ?? [];
if (after === undefined) throw new Error(`${documentation} lacks the place for the table: ${marks.from} … ${marks.to}`);
writeFileSync(documentation, `${before}${marks.from}\n\n${tableOf(result)}\n\n${marks.to}${after}`);
const isWhole = result.testResults.every(({ assertionResults }) => assertionResults.every(({ status }) => status === "passed"));
if (!isWhole) process.exitCode = 1;
