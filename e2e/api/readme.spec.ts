import { readFile } from "node:fs/promises";
import path from "node:path";
import { approvePending } from "../approve-pending";
import { expect, test } from "../fixtures";
import { runProgram } from "../run-program";

const readme = path.resolve(import.meta.dirname, "../../README.md");

test("the sample of the README runs as it is written", async ({ api, productUrl }) => {
  const samples = [...(await readFile(readme, "utf8")).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  const code = samples.find((sample) => sample.includes("/turns")) ?? "";
  expect(code).toContain("hr_...");
  const key = await api.withKey("turns:write", "tools:read");
  const script = code.replace("hr_...", key.token ?? "").replaceAll("http://localhost:3000", productUrl);
  const [ended] = await Promise.all([
    runProgram("sh", ["-e", "-u", "-c", script]),
    approvePending(
      api.approver,
      ({ requestedBy, arguments: args }) => requestedBy.type === "api_key" && args.path === ".git/hooks/pre-commit",
    ),
  ]);
  expect(ended.stderr).toBe("");
  const turn = JSON.parse(ended.stdout.slice(ended.stdout.indexOf("{")));
  expect(turn.status).toBe("completed");
  expect(turn.calls.map(({ status }: { status: string }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
});

test("the README needs no program that a machine may lack", async () => {
  const text = await readFile(readme, "utf8");
  expect(text).not.toMatch(/\b(jq|uuidgen)\b/);
});
