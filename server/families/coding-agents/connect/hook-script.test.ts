import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { approvals, codingSessions } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { codingHttp } from "@/server/testing/coding-agents/coding-http";
import { useCodingStage } from "@/server/testing/coding-agents/coding-stage";
import { approverActor } from "@/server/testing/stage";
import { isWatchedHere } from "@/server/turns/read/watch-turns";
import { hookScript } from "./hook-script";

const stage = useCodingStage();

/** A project with the script beside it. */
function project() {
  const folder = mkdtempSync(path.join(tmpdir(), "handrail-sh-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, "handrail-hook.sh"), hookScript);
  const shop = path.join(folder, "shop");
  mkdirSync(shop);
  spawnSync("git", ["init", "-q"], { cwd: shop });
  spawnSync("git", ["remote", "add", "origin", "git@github.com:Acme/Shop.git"], { cwd: shop });
  return { file: path.join(folder, "handrail-hook.sh"), shop };
}

const about = (cwd: string) => ({
  ...{ session_id: "s", turn_id: "t", cwd, hook_event_name: "PreToolUse", model: "m", tool_name: "Bash" },
});

type Place = { origin: string; key: string };

function start({ origin, key }: Place, { file, shop }: ReturnType<typeof project>, command: string, client = "codex") {
  const env = { ...process.env, HANDRAIL_URL: origin, HANDRAIL_KEY: key };
  const child = spawn("sh", [file, client, "ask"], { cwd: shop, env });
  const texts = { out: "", problem: "" };
  child.stdout.on("data", (piece) => {
    texts.out += piece;
  });
  child.stderr.on("data", (piece) => {
    texts.problem += piece;
  });
  child.stdin.end(JSON.stringify({ ...about(shop), tool_input: { command }, tool_use_id: command }));
  const ended = new Promise<{ code: number | null; out: string; problem: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, ...texts })),
  );
  return { child, ended };
}

const pending = () =>
  vi.waitFor(
    async () => {
      const rows = await db().select().from(approvals).where(eq(approvals.workspaceId, stage.built.workspace.id));
      const [card] = rows.filter(({ status }) => status === "pending");
      if (!card) throw new Error("nobody is asked yet");
      return card.id;
    },
    { timeout: 10_000 },
  );

test("the script has under 120 lines, and sh takes it", () => {
  expect(hookScript.trimEnd().split("\n").length).toBeLessThan(120);
  const { file } = project();
  expect(spawnSync("sh", ["-n", file], { encoding: "utf8" }).stderr).toBe("");
});

test("a refusal is told as its sentence, and a limit that leaves no time is blamed", async () => {
  const { origin } = await codingHttp(stage);
  const at = project();
  const refused = await start({ origin, key: "hr_bad" }, at, "npm test").ended;
  expect(refused.code).toBe(2);
  expect(refused.problem).toMatch(/refused the request \(401\): [A-Z][^{}]*$/);
  const short = spawnSync("sh", [at.file, "codex", "ask", "--timeout", "30"], { input: "{}", encoding: "utf8" });
  expect([short.status, short.stderr]).toEqual([2, expect.stringContaining("--timeout 30 leaves nobody time to decide")]);
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
