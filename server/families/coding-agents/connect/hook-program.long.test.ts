import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { and, desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { approvals, codingSessions } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { revokeApiKey } from "@/server/auth/api-keys/revoke-api-key";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { codingHttp } from "@/server/testing/coding-agents/coding-http";
import { useCodingStage } from "@/server/testing/coding-agents/coding-stage";
import { approverActor } from "@/server/testing/stage";
import { isWatchedHere } from "@/server/turns/read/watch-turns";
import { hookProgram } from "./hook-program";

const stage = useCodingStage();
let folder = "";
let file = "";

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "handrail-hook-"));
  file = path.join(folder, "handrail-hook.cjs");
  writeFileSync(file, hookProgram);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Place = { origin: string; key: string };
const body = (command: string, more: object = {}) => ({
  ...{ session_id: "s", turn_id: "t", cwd: "/home/ada/shop", hook_event_name: "PreToolUse", model: "m", tool_name: "Bash" },
  ...{ tool_input: { command }, tool_use_id: "call_1", ...more },
});

/** Runs the hook as Codex does. */
function start({ origin, key }: Place, sent: object | string, args = ["codex", "ask"], more: Partial<NodeJS.ProcessEnv> = {}) {
  // The home of the one whose folder the calls name, whoever runs the tests.
  const env = { ...process.env, HOME: "/home/ada", HANDRAIL_URL: origin, HANDRAIL_KEY: key, ...more };
  const child = spawn(process.execPath, [file, ...args], { env });
  let out = "";
  let problem = "";
  child.stdout.on("data", (piece) => {
    out += piece;
  });
  child.stderr.on("data", (piece) => {
    problem += piece;
  });
  child.stdin.end(typeof sent === "string" ? sent : JSON.stringify(sent));
  const ended = new Promise<{ code: number | null; out: string; problem: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, out, problem })),
  );
  return { child, ended };
}

const newest = () =>
  vi.waitFor(
    async () => {
      const isOpen = and(eq(approvals.workspaceId, stage.built.workspace.id), eq(approvals.status, "pending"));
      const [approval] = await db().select().from(approvals).where(isOpen).orderBy(desc(approvals.id)).limit(1);
      if (!approval) throw new Error("nobody is asked yet");
      return approval.id;
    },
    { timeout: 10_000 },
  );

/** The newest card, once the program waits in its second request and knows its call. */
async function watched(): Promise<string> {
  const id = await newest();
  const [asked] = await db().select().from(approvals).where(eq(approvals.id, id));
  await vi.waitFor(() => {
    if (!isWatchedHere(String(asked?.turnId))) throw new Error("not waited for yet");
  });
  return id;
}

/** Something else than Handrail at the address. */
async function other(answer: RequestListener): Promise<Place> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: "hr_x" };
}

test("the program has under 120 lines and no dependencies", () => {
  expect(hookProgram.trimEnd().split("\n").length).toBeLessThan(120);
  const loaded = [...hookProgram.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name);
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.every((name) => name?.startsWith("node:"))).toBe(true);
});

test("an allowed call ends with 0, and with nothing for a client that takes nothing for a yes", async () => {
  expect(await start(await codingHttp(stage), body("npm test")).ended).toEqual({ code: 0, out: "", problem: "" });
});

test("a denied call ends with 0 and the client's own no", async () => {
  const { code, out } = await start(await codingHttp(stage), body("rm -rf ~/")).ended;
  expect(code).toBe(0);
  expect(JSON.parse(out).hookSpecificOutput.permissionDecision).toBe("deny");
});

test("a call waits for a person", async () => {
  const { ended } = start(await codingHttp(stage), body("git push"));
  await decideApproval(approverActor(stage), await newest(), { decision: "approve", comment: "" });
  expect(await ended).toEqual({ code: 0, out: "", problem: "" });
});

const geminiBody = { session_id: "s", cwd: "/home/ada/shop", hook_event_name: "BeforeTool", tool_name: "run_shell_command" };

test.each([
  ["SIGINT", "codex"],
  ["SIGTERM", "codex"],
  ["SIGHUP", "codex"],
  ["SIGINT", "gemini"],
] as const)("%s withdraws the question, and blocks the call with a sentence in the words of %s", async (signal, client) => {
  const place = await codingHttp(stage);
  const sent = client === "gemini" ? { ...geminiBody, tool_input: { command: "git push" } } : body("git push");
  const { child, ended } = start(place, sent, [client, "ask", "--timeout", "300"]);
  const id = await watched();
  child.kill(signal);
  const { code, out, problem } = await ended;
  const reason = "Handrail: the hook was interrupted before it had an answer.";
  expect([code, problem]).toEqual([2, `${reason}\n`]);
  expect(out === "" ? null : JSON.parse(out)).toEqual(client === "gemini" ? { decision: "deny", reason } : null);
  await expect.poll(async () => (await db().select().from(approvals).where(eq(approvals.id, id)))[0]?.status).toBe("cancelled");
});

test("a key that is revoked while the call waits blocks it with a sentence", async () => {
  const place = await codingHttp(stage);
  const { ended } = start(place, body("git push"), ["codex", "ask", "--timeout", "300"]);
  await watched();
  await revokeApiKey(authorize(stage.built.admin, "admin"), place.keyId);
  const { code, out, problem } = await ended;
  expect([code, out]).toEqual([2, ""]);
  expect(problem).toContain("The API key was revoked or has expired while the call waited");
});

test("a client that ends without a word to its hook withdraws the question", { timeout: 20_000 }, async () => {
  const { origin, key } = await codingHttp(stage);
  const hook = `'${process.execPath}' '${file}' codex ask --timeout 300 || exit 2`;
  // The outer shell stands for the client, the inner one is the one in which clients start their hooks.
  const client = spawn("sh", ["-c", 'sh -c "$1"; :', "client", hook], {
    env: { ...process.env, HANDRAIL_URL: origin, HANDRAIL_KEY: key },
    stdio: ["pipe", "ignore", "ignore"],
  });
  client.stdin.end(JSON.stringify(body("git push")));
  const id = await newest();
  const statusOf = async () => (await db().select().from(approvals).where(eq(approvals.id, id)))[0];
  await vi.waitFor(async () => expect(isWatchedHere(String((await statusOf())?.turnId))).toBe(true));
  client.kill("SIGKILL");
  await expect.poll(async () => (await statusOf())?.status, { timeout: 10_000 }).toBe("cancelled");
});

test.each<[string, RequestListener, RegExp]>([
  ["a page of a proxy", (_, response) => void response.end("<html>Sign in</html>"), /something else than Handrail/],
  ["JSON of something else", (_, response) => void response.end("{}"), /something else than Handrail/],
  ["401", (_, response) => void response.writeHead(401).end("no"), /refused the request \(401\)/],
  ["a redirection", (_, response) => void response.writeHead(302, { location: "/login" }).end(), /be reached/],
])("%s is never a yes", async (_, answer, says) => {
  const { code, out, problem } = await start(await other(answer), body("npm test")).ended;
  expect([code, out]).toEqual([2, ""]);
  expect(problem).toMatch(says);
});

test("a problem document is told as its sentence", async () => {
  const { origin } = await codingHttp(stage);
  const { code, problem } = await start({ origin, key: "hr_bad" }, body("npm test")).ended;
  expect(code).toBe(2);
  expect(problem).toMatch(/refused the request \(401\): [A-Z]/);
  expect(problem).not.toMatch(/[{}]/);
});

test.each(["30", "0", "soon"])("a limit of %s seconds is blamed on the limit, and nobody is asked", async (seconds) => {
  const { code, out, problem } = await start({ origin: "http://127.0.0.1:9", key: "hr_x" }, body("git push"), [
    ...["codex", "ask", "--timeout", seconds],
  ]).ended;
  expect([code, out]).toEqual([2, ""]);
  expect(problem).toContain(`--timeout ${seconds} leaves nobody time to decide`);
});

test("nothing at the address, and a body that is no JSON, are never a yes", async () => {
  const { code, out } = await start({ origin: "http://127.0.0.1:9", key: "hr_x" }, body("npm test")).ended;
  expect([code, out]).toEqual([2, ""]);
  expect((await start(await codingHttp(stage), "not JSON").ended).code).toBe(2);
});

test("without settings the call is blocked, with a sentence about them", async () => {
  const { code, problem } = await start({ origin: "", key: "" }, body("npm test")).ended;
  expect(code).toBe(2);
  expect(problem).toContain("HANDRAIL_URL and HANDRAIL_KEY");
});

test("a clock that stands still does not keep the program beyond its time", async () => {
  const clock = path.join(folder, "clock.cjs");
  writeFileSync(clock, "Date.now = () => 0;\n");
  const busy = await other((_, response) => void response.writeHead(503).end());
  const { ended } = start(busy, body("git push"), ["codex", "ask", "--timeout", "31"], { NODE_OPTIONS: `--require ${clock}` });
  expect(await ended).toMatchObject({ code: 2, out: "", problem: expect.stringContaining("nobody decided in time") });
});

test("a restart of Handrail in the middle is waited for, and the question is the same one", async () => {
  const first = await codingHttp(stage);
  const { ended } = start(first, body("git push"));
  const id = await newest();
  await first.stop();
  await decideApproval(approverActor(stage), id, { decision: "approve", comment: "" });
  await codingHttp(stage, first.port);
  expect((await ended).code).toBe(0);
  expect(await db().select().from(approvals).where(eq(approvals.workspaceId, stage.built.workspace.id))).toHaveLength(1);
});

test("a report never blocks", async () => {
  const report = body("npm test", { hook_event_name: "PostToolUse", tool_response: "ok" });
  expect((await start(await codingHttp(stage), report, ["codex", "tell"]).ended).code).toBe(0);
  expect((await start({ origin: "http://127.0.0.1:9", key: "hr_x" }, report, ["codex", "tell"]).ended).code).toBe(0);
});

test("the policy file and the repository of the project reach Handrail, also from a linked worktree and a folder below", async () => {
  const place = await codingHttp(stage);
  const project = mkdtempSync(path.join(tmpdir(), "handrail-project-"));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  const git = (...args: string[]) => spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: project });
  git("init", "-q", "main");
  const main = path.join(project, "main");
  spawnSync("git", ["remote", "add", "origin", "https://ada:secret@github.com/Acme/Shop.git"], { cwd: main });
  writeFileSync(
    path.join(main, ".handrail.yaml"),
    "rules:\n  - { name: N, tool: shell_execute, pattern: ^make, verdict: deny, reason: Not here. }\n",
  );
  git("-C", "main", "add", ".handrail.yaml");
  git("-C", "main", "commit", "-qm", "a");
  git("-C", "main", "worktree", "add", "-q", "../linked");
  mkdirSync(path.join(project, "linked/below"));
  const cwd = path.join(project, "linked/below");
  expect(await start(place, body("make all", { cwd })).ended).toMatchObject({ code: 0, out: expect.stringContaining("Not here.") });
  expect(await start(place, body("ls", { cwd, tool_use_id: "call_2" })).ended).toMatchObject({ code: 0, out: "" });
  const [session] = await db().select().from(codingSessions).where(eq(codingSessions.workspaceId, stage.built.workspace.id));
  expect(session).toMatchObject({
    repository: "github.com/acme/shop",
    host: hostname(),
    policyDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test("a link that leads out of the project asks about the file behind it, and a link within the project passes", async () => {
  const place = await codingHttp(stage);
  const project = mkdtempSync(path.join(tmpdir(), "handrail-project-"));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  const cwd = path.join(project, "shop");
  mkdirSync(path.join(cwd, "src"), { recursive: true });
  symlinkSync("src", path.join(cwd, "near"));
  symlinkSync("../../away", path.join(cwd, "src/far"));
  mkdirSync(path.join(project, "away"));
  expect(await start(place, body("cat near/a.txt", { cwd })).ended).toEqual({ code: 0, out: "", problem: "" });
  const { ended } = start(place, body("cd src && cat 'far/new/a.txt'", { cwd, tool_use_id: "call_2" }));
  const id = await newest();
  const [asked] = await db().select().from(approvals).where(eq(approvals.id, id));
  const behind = path.join(realpathSync(project), "away/new/a.txt");
  expect(asked?.decision.effects?.map(({ target }) => target)).toContainEqual(expect.objectContaining({ where: "outside", path: behind }));
  await decideApproval(approverActor(stage), id, { decision: "reject", comment: "Not through a link." });
  expect(await ended).toMatchObject({ code: 0, out: expect.stringContaining("Not through a link.") });
});

test("a policy file that Handrail does not take blocks the call and says which file", async () => {
  const place = await codingHttp(stage);
  const project = mkdtempSync(path.join(tmpdir(), "handrail-project-"));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  writeFileSync(path.join(project, ".handrail.yaml"), `# ${"x".repeat(70_000)}`);
  const { code, problem } = await start(place, body("ls", { cwd: project })).ended;
  expect(code).toBe(2);
  expect(problem).toContain(`${project}/.handrail.yaml was not accepted, so the call was not run`);
});
