import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { approvals } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { codingHttp } from "@/server/testing/coding-agents/coding-http";
import { about, useHookScript } from "@/server/testing/coding-agents/hook-script-stage";
import { approverActor } from "@/server/testing/stage";
import { isWatchedHere } from "@/server/turns/read/watch-turns";

const { stage, project, start, pending } = useHookScript();

test("a refusal is told as its sentence, and a limit that leaves no time is blamed", async () => {
  const { origin } = await codingHttp(stage);
  const at = project();
  const refused = await start({ origin, key: "hr_bad" }, at, "npm test").ended;
  expect(refused.code).toBe(2);
  expect(refused.problem).toMatch(/refused the request \(401\): [A-Z][^{}]*$/);
  const short = spawnSync("sh", [at.file, "codex", "ask", "--timeout", "30"], { input: "{}", encoding: "utf8" });
  expect([short.status, short.stderr]).toEqual([2, expect.stringContaining("--timeout 30 leaves nobody time to decide")]);
});

test("a link that leads out of the project asks about the file behind it, and a link within the project passes", async () => {
  const place = await codingHttp(stage);
  const at = project();
  mkdirSync(path.join(at.shop, "src"));
  symlinkSync("src", path.join(at.shop, "near"));
  symlinkSync("../../away", path.join(at.shop, "src/far"));
  mkdirSync(path.join(at.shop, "../away"));
  expect(await start(place, at, "cat near/a.txt").ended).toEqual({ code: 0, out: "", problem: "" });
  const asked = start(place, at, 'cat "src/./far/new/a.txt"');
  const id = await pending();
  const [card] = await db().select().from(approvals).where(eq(approvals.id, id));
  const behind = path.join(realpathSync(path.dirname(at.shop)), "away/new/a.txt");
  expect(card?.decision.effects?.map(({ target }) => target)).toContainEqual(expect.objectContaining({ where: "outside", path: behind }));
  await decideApproval(approverActor(stage), id, { decision: "reject", comment: "Not through a link." });
  expect(await asked.ended).toMatchObject({ code: 0, out: expect.stringContaining("Not through a link.") });
});

test("a signal withdraws the question, and blocks the call with a sentence", { timeout: 20_000 }, async () => {
  const place = await codingHttp(stage);
  const asked = start(place, project(), "cat /etc/passwd");
  const id = await pending();
  await vi.waitFor(() => expect(spawnSync("pgrep", ["-P", String(asked.child.pid), "-x", "curl"]).status).toBe(0), { timeout: 5_000 });
  asked.child.kill("SIGTERM");
  expect(await asked.ended).toMatchObject({ code: 2, problem: "Handrail: the hook was interrupted before it had an answer.\n" });
  const [card] = await db().select().from(approvals).where(eq(approvals.id, id));
  expect(card?.status).toBe("cancelled");
});

test("a client that ends without a word to its hook withdraws the question", { timeout: 20_000 }, async () => {
  const { origin, key } = await codingHttp(stage);
  const { file, shop } = project();
  // The outer shell stands for the client, the inner one is the one in which clients start their hooks.
  const client = spawn("sh", ["-c", 'sh -c "$1"; :', "client", `sh '${file}' codex ask || exit 2`], {
    cwd: shop,
    env: { ...process.env, HANDRAIL_URL: origin, HANDRAIL_KEY: key },
    stdio: ["pipe", "ignore", "ignore"],
  });
  client.stdin.end(JSON.stringify({ ...about(shop), tool_input: { command: "cat /etc/passwd" }, tool_use_id: "c1" }));
  const id = await pending();
  const statusOf = async () => (await db().select().from(approvals).where(eq(approvals.id, id)))[0];
  await vi.waitFor(async () => expect(isWatchedHere(String((await statusOf())?.turnId))).toBe(true), { timeout: 5_000 });
  client.kill("SIGKILL");
  await expect.poll(async () => (await statusOf())?.status, { timeout: 10_000 }).toBe("cancelled");
});

test.each([
  ["the page of a proxy", 200, { "content-type": "text/html" }, "<html>Sign in</html>"],
  ["JSON of somebody else", 200, {}, "{}"],
  ["half an answer", 200, { "handrail-hook": "codex" }, '{"hookSpecificOutput":'],
  ["a refused key", 401, {}, "{}"],
  ["a redirection", 302, { location: "https://example.com/" }, ""],
])("%s blocks", async (_what, status, headers, text) => {
  const server = createServer((_request, response) => void response.writeHead(status, headers).end(text));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, out, problem } = await start({ origin, key: "k" }, project(), "ls").ended;
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(problem).toContain("Handrail: ");
});
