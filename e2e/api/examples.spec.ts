import { randomUUID } from "node:crypto";
import path from "node:path";
import { approvePending } from "../approve-pending";
import { expect, test } from "../fixtures";
import { startModelServer } from "../model-server";
import { runProgram } from "../run-program";

const root = path.resolve(import.meta.dirname, "../..");

test.beforeAll(async () => {
  const built = await runProgram("npm", ["run", "build", "-w", "@handrail/client"], { cwd: root });
  expect(built.code, built.stderr).toBe(0);
});

for (const example of ["openai-chat", "openai-responses", "ai-sdk", "openai-agents", "langchain"]) {
  test(`the example ${example} keeps the order of a reply through an approval, and sees the tool that it enabled`, async ({
    api,
    workspace,
    productUrl,
  }) => {
    const hook = `.git/hooks/${randomUUID()}`;
    const model = await startModelServer(
      [
        { name: "write_file", arguments: { path: hook, content: "a hook of the example" } },
        { name: "read_file", arguments: { path: hook } },
        { name: "enable_tool", arguments: { name: "jobs" } },
      ],
      [{ name: "date_time", arguments: { timezone: "Europe/Paris" } }],
    );
    const environment = {
      HANDRAIL_URL: productUrl,
      HANDRAIL_API_KEY: workspace.agentKey,
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: model.url,
    };
    try {
      const [ended] = await Promise.all([
        runProgram(process.execPath, [path.join(root, `examples/${example}.ts`), "Write a hook"], { cwd: root, env: environment }),
        approvePending(api.approver, ({ arguments: args }) => args.path === hook),
      ]);
      expect(ended.code, ended.stderr).toBe(0);
      expect(ended.stdout).toContain("a hook of the example");
      expect(ended.stdout).toMatch(/\d{4}-\d{2}-\d{2}T/);
      const listed = model.asked.map(({ tools = [] }) => tools.map((tool) => tool.function?.name ?? tool.name));
      expect(listed[0]).not.toContain("jobs");
      expect(listed[1]).toContain("jobs");
    } finally {
      await model.close();
    }
  });
}
