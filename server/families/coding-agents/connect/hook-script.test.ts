import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { codingSessions } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { codingHttp } from "@/server/testing/coding-agents/coding-http";
import { useHookScript } from "@/server/testing/coding-agents/hook-script-stage";
import { approverActor } from "@/server/testing/stage";
import { hookScript } from "./hook-script";

const { stage, project, start, pending } = useHookScript();

test("the script has under 120 lines, and sh takes it", () => {
  expect(hookScript.trimEnd().split("\n").length).toBeLessThan(120);
  const { file } = project();
  expect(spawnSync("sh", ["-n", file], { encoding: "utf8" }).stderr).toBe("");
});

test("allowed, denied by the policy file, and decided by a person", async () => {
  const place = await codingHttp(stage);
  const at = project();
  writeFileSync(
    path.join(at.shop, ".handrail.yaml"),
    'rules:\n  - name: "No \\"deploy\\""\n    tool: shell_execute\n    pattern: "^make deploy"\n    verdict: deny\n    reason: Only the pipeline.',
  );
  expect(await start(place, at, "npm test").ended).toEqual({ code: 0, out: "", problem: "" });
  expect(await start(place, at, "make deploy").ended).toMatchObject({ code: 0, out: expect.stringContaining("Only the pipeline.") });
  const asked = start(place, at, "cat /etc/passwd");
  await decideApproval(approverActor(stage), await pending(), { decision: "reject", comment: "Not today." });
  expect(await asked.ended).toMatchObject({ code: 0, out: expect.stringContaining("Not today.") });
  const [session] = await db().select().from(codingSessions).where(eq(codingSessions.workspaceId, stage.built.workspace.id));
  expect(session).toMatchObject({ repository: "github.com/acme/shop", folder: at.shop });
});

test("without settings the call is blocked, with a sentence about them", async () => {
  const { code, problem } = await start({ origin: "", key: "" }, project(), "ls").ended;
  expect(code).toBe(2);
  expect(problem).toMatch(/^Handrail: HANDRAIL_URL and HANDRAIL_KEY are not set/);
});

test("Gemini is denied in its own words, also when the sentence has quotes and lines", async () => {
  const server = createServer((_request, response) => void response.writeHead(403).end('{"title":\n\t"No \\\\ key"}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, out } = await start({ origin, key: "k" }, project(), "ls", "gemini").ended;
  expect(code).toBe(2);
  expect(JSON.parse(out)).toEqual({ decision: "deny", reason: expect.stringContaining("refused the request (403)") });
});
