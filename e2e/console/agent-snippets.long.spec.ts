import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { approvePending } from "../approve-pending";
import { expect, test } from "../fixtures";
import { startModelServer } from "../model-server";
import { runProgram } from "../run-program";
import { open } from "./check-page";

/** Inside the checkout, so that programs find the packages. */
const folder = path.resolve(import.meta.dirname, "../../test-results");
const hasPython = spawnSync("python3", ["-c", "import requests"]).status === 0;

const snippets = [
  { label: "OpenAI SDK", program: process.execPath, file: "agent.mjs" },
  { label: "AI SDK", program: process.execPath, file: "agent.mjs" },
  { label: "LangChain", program: process.execPath, file: "agent.mjs" },
  // Python is no part of what Handrail needs; where it is installed, its program is tried too.
  ...(hasPython ? [{ label: "Python", program: "python3", file: "agent.py" }] : []),
  { label: "curl", program: "sh", file: "Shell" },
];

for (const { label, program, file } of snippets) {
  test(`the ${label} program of the overview runs as it is shown, through an approval`, async ({ consolePage: page, api }) => {
    await open(page, "/");
    const steps = page.getByRole("region", { name: "First steps" });
    const show = steps.getByRole("button", { name: "Show code" });
    if (await show.isVisible()) await show.click();
    await steps.getByRole("button", { name: "Create a key" }).click();
    await steps.getByRole("tab", { name: label, exact: true }).click();
    const shown = steps.getByRole("group", { name: file });
    await expect(shown).toContainText(/Bearer hr_[A-Za-z0-9_-]{20,}|hr_[A-Za-z0-9_-]{20,}/);
    const code = (await shown.textContent()) ?? "";

    const hook = `.git/hooks/${randomUUID()}`;
    const model = await startModelServer([
      { name: "date_time", arguments: { timezone: "Europe/Paris" } },
      { name: "write_file", arguments: { path: hook, content: "date" } },
    ]);
    await mkdir(folder, { recursive: true });
    const here = await mkdtemp(path.join(folder, "snippet-"));
    try {
      // A program without a model names the file itself; it gets one that no other test waits for.
      await writeFile(path.join(here, file), code.replace(".git/hooks/pre-commit", hook));
      const environment = { OPENAI_API_KEY: "none", OPENAI_BASE_URL: model.url };
      const [ended] = await Promise.all([
        runProgram(program, [file], { cwd: here, env: environment }),
        approvePending(api.approver, ({ arguments: args }) => args.path === hook),
      ]);
      expect(ended.code, ended.stderr).toBe(0);
      expect(ended.stdout).toMatch(/\d{4}-\d{2}-\d{2}T/);
      expect(ended.stdout).toContain(hook);
      if (label === "curl") {
        expect(JSON.parse(ended.stdout).status).toBe("completed");
        return;
      }
      expect(ended.stdout).toContain("The model read:");
      expect(model.asked[0]?.tools?.map((tool) => tool.function?.name)).toContain("write_file");
    } finally {
      await model.close();
      await rm(here, { recursive: true, force: true });
    }
  });
}
