import { lookup } from "node:dns/promises";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, hostname, networkInterfaces, tmpdir } from "node:os";
import path from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { guardEndpoints } from "@/contracts/guard/guard";
import { identityEndpoints } from "@/contracts/identity/identity";
import type { Turn } from "@/contracts/turns/turns";
import { type Caller, caller } from "../caller";
import { consoleBrowser } from "../console-browser";
import { type NpmRegistry, packageName, startNpmRegistry } from "../npm-registry";
import { adminEmail, adminPassword, type Product, startProduct } from "../product";
import { checkPage, fits, open, signIn } from "./check-page";
import { decideAtOnce, openLine } from "./pending-approvals";
import { type RequestedCall, submitTurnIn, waitForEnd } from "./submit-requests";

const secret = "the content of x";

let dataDir: string;
/** A folder of the machine that is none of Handrail's; the sandbox shows no home. */
let outside: string;
let product: Product;
let agent: Caller;
let admin: Caller;
let page: Page;
/** Private to every command, and listed by the operator: a call that names it asks. */
let listed: NpmRegistry & { host: string };
/** Added to the allowed hosts by the admin: a call that names it passes. */
let allowed: NpmRegistry & { host: string };

test.beforeAll(async ({ browser }) => {
  dataDir = await mkdtemp(path.join(tmpdir(), "handrail-sandbox-"));
  outside = await mkdtemp(path.join(homedir(), "handrail-outside-"));
  const { name, address } = await ownName();
  const [atName, atLoopback] = await Promise.all([startNpmRegistry(address), startNpmRegistry("127.0.0.2")]);
  listed = { ...atName, host: `${name}:${atName.port}` };
  allowed = { ...atLoopback, host: `127.0.0.2:${atLoopback.port}` };
  product = await startProduct({ dataDir, name: "sandbox", variables: { HANDRAIL_SANDBOX_PRIVATE_HOSTS: listed.host } });
  agent = caller(product.url, product.agentKey());
  const { token } = await agent.call(identityEndpoints.token, { body: { email: adminEmail, password: adminPassword } });
  admin = caller(product.url, token);
  const context = await browser.newContext({ ...consoleBrowser, baseURL: product.url });
  page = await context.newPage();
  await decideAtOnce(page);
  await signIn(page, adminEmail, adminPassword);
});
test.afterAll(async () => {
  await page?.context().close();
  await product?.stop();
  await Promise.all([listed?.close(), allowed?.close()]);
  await Promise.all([dataDir, outside].map((folder) => rm(folder, { recursive: true, force: true })));
});

/** A name of this machine that is no loopback in a command, and the address behind it. */
async function ownName(): Promise<{ name: string; address: string }> {
  const name = hostname().toLowerCase();
  const found = name === "localhost" ? null : await lookup(name, 4).catch(() => null);
  if (found) return { name, address: found.address };
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4");
  if (!outer) throw new Error("This machine has no name and no address beside its loopback.");
  return { name: outer.address, address: outer.address };
}

const run = (command: string): RequestedCall => ({ name: "shell_execute", arguments: { command } });
const install = ({ host }: { host: string }) => run(`npm install ${packageName} --registry http://${host}`);
const newConversation = async () => (await agent.call(conversationEndpoints.create, { body: {} })).id;
const submit = async (...calls: RequestedCall[]) => submitTurnIn(agent, await newConversation(), calls, 60);
/** The outcome of each call, with its answer where the outcome is unexpected. */
const answers = ({ calls }: Turn) => calls.map(({ name, status, content }) => `${name} ${status}: ${content}`);
/** Opens the approval whose line holds this text. */
const cardOf = (text: string) => openLine(page, text);

test("an agent lists, reads, writes, runs tests and commits in its folder, and nobody is asked", async () => {
  expect(product.printed()).toContain("Commands run in a bubblewrap sandbox with their own folder, the system read-only and no network");
  const conversation = await newConversation();
  const test = [
    'import assert from "node:assert";',
    'import test from "node:test";',
    'import { sum } from "./sum.mjs";',
    'test("adds", () => assert.equal(sum(1, 2), 3));',
  ].join("\n");
  const first = await submitTurnIn(
    agent,
    conversation,
    [
      { name: "search_files", arguments: { query: "", target: "name" } },
      { name: "write_file", arguments: { path: "sum.mjs", content: "export const sum = (a, b) => a + b;\n" } },
      { name: "write_file", arguments: { path: "sum.test.mjs", content: test } },
      { name: "read_file", arguments: { path: "sum.mjs" } },
      run("ls -la && cat sum.mjs"),
      run("node --test"),
    ],
    60,
  );
  expect(first.status, answers(first).join("\n")).toBe("completed");
  expect(first.calls.map(({ status }) => status)).toEqual(first.calls.map(() => "succeeded"));
  expect(first.calls[5]?.content).toContain("# pass 1");

  const second = await submitTurnIn(
    agent,
    conversation,
    [
      run("git init"),
      run("git add ."),
      run('git commit -m "Adds sums"'),
      run("sed -i 's/sum =/sum =  /' sum.mjs && git diff --stat && git checkout -b more && git commit -am more"),
      run("git log --oneline"),
    ],
    60,
  );
  expect(second.status, answers(second).join("\n")).toBe("completed");
  for (const { content } of second.calls) expect(content).toMatch(/^exit code 0\n/);
  expect(second.calls[4]?.content).toMatch(/more\n.* Adds sums/);

  const { items } = await admin.call(approvalEndpoints.list);
  expect(items, "approvals of all times").toEqual([]);
  await open(page, "/approvals");
  await expect(page.getByText("No pending approvals")).toBeVisible();
});

test("npm install asks for the registry's host; approved, it goes through the proxy, and nothing goes past it", async () => {
  await open(page, "/approvals");
  const conversation = await newConversation();
  const asked = await submitTurnIn(agent, conversation, [install(listed), run(`node -p 'require("${packageName}").add(20, 22)'`)], 60);
  expect(asked.status, answers(asked).join("\n")).toBe("suspended");
  expect(listed.requests).toEqual([]);
  const card = await cardOf(`npm install ${packageName}`);
  await expect(card.getByText(`Access outside the sandbox: network to ${listed.host}`)).toBeVisible();
  await expect(card.getByText("Approval gives only this access, for this call.")).toBeVisible();
  await expect(card.getByText(`Connects to ${listed.host}, a private address`, { exact: true })).toBeVisible();
  await expect(card.locator("mark").filter({ hasText: listed.host }).first()).toBeVisible();
  await checkPage(page, "a card that asks for a host");
  const poll = waitForEnd(agent, asked.id);
  await card.getByRole("button", { name: "Approve once" }).click();
  const done = await poll;
  expect(answers(done)[0]).toContain("added 1 package");
  expect(done.calls[1]?.content).toContain("42");
  expect(listed.requests).toEqual(expect.arrayContaining([`/${packageName}`, `/${packageName}/-/${packageName}-1.0.0.tgz`]));

  // The approved host is a grant of the proxy; past the proxy there is no network.
  const before = listed.requests.length;
  const around = await submitTurnIn(agent, conversation, [run(`curl -sS -m 5 --noproxy '*' http://${listed.host}/past-the-proxy`)], 60);
  const poll2 = waitForEnd(agent, around.id);
  await (await cardOf("past-the-proxy")).getByRole("button", { name: "Approve once" }).click();
  expect((await poll2).calls[0]?.content).toMatch(/^exit code [1-9]/);
  expect(listed.requests).toHaveLength(before);
});

test("a host that is allowed with its port is installed from without a question; another private one asks", async () => {
  const asked = await submit(run(`curl -sS http://10.11.12.13:${allowed.port}/`));
  expect(asked.calls[0]?.decision).toMatchObject({
    verdict: "require_approval",
    reason: expect.stringContaining("add `host:port` to the allowed hosts"),
  });

  const early = await submit(run(`curl -sSf -m 5 http://${allowed.host}/`));
  expect(early.calls[0]?.content, "before it is allowed").toContain("Failed to connect");
  expect(allowed.requests).toEqual([]);
  await admin.call(guardEndpoints.updateConfig, { body: { allowedHosts: [allowed.host] } });
  const turn = await submit(install(allowed), run(`node -p 'require("${packageName}").add(20, 22)'`));
  expect(turn.status, answers(turn).join("\n")).toBe("completed");
  expect(answers(turn)[0]).toContain("added 1 package");
  expect(turn.calls[1]?.content).toContain("42");
  expect(allowed.requests).toEqual(expect.arrayContaining([`/${packageName}`, `/${packageName}/-/${packageName}-1.0.0.tgz`]));
});

test("a file outside the folder is asked for, and shown to the one call that is approved", async () => {
  const file = path.join(outside, "x");
  await writeFile(file, secret);
  await open(page, "/approvals");

  const rejected = await submit(run(`cat ${file}`));
  const card = await cardOf(`cat ${file}`);
  await expect(card.getByText(`Access outside the sandbox: reads ${file}`)).toBeVisible();
  const poll = waitForEnd(agent, rejected.id);
  await card.getByRole("button", { name: "Reject" }).click();
  await card.getByLabel("Reason (sent to the model)").fill("That file is not yours.");
  await card.getByRole("button", { name: "Reject" }).click();
  const [refused] = (await poll).calls;
  expect(refused).toMatchObject({ status: "rejected", content: expect.stringContaining("That file is not yours.") });
  expect(refused?.content).not.toContain(secret);

  const approved = await submit(run(`cat ${file} # once more`));
  const second = waitForEnd(agent, approved.id);
  await (await cardOf("once more")).getByRole("button", { name: "Approve once" }).click();
  expect((await second).calls[0]).toMatchObject({ status: "succeeded", content: expect.stringContaining(secret) });
});

test("a file of Handrail itself is refused with nobody asked, because no approval could show it", async () => {
  const { workspace } = await admin.call(identityEndpoints.me);
  const folder = path.join(dataDir, "workspaces", workspace.id);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "x"), secret);
  const [call] = (await submit(run("cat ../../x"))).calls;
  expect(call).toMatchObject({ status: "denied", content: expect.stringContaining("belongs to Handrail itself") });
  expect(call?.content).not.toContain(secret);
});

test("the metadata address of a cloud is denied with nobody asked, and out of reach for a script that hides it", async () => {
  const named = await submit(run("curl -sS -m 5 http://169.254.169.254/latest/meta-data/"));
  expect(named.calls[0]).toMatchObject({ status: "denied", content: expect.stringContaining("the machine's own credentials") });
  const hidden = await submit(
    { name: "write_file", arguments: { path: "hidden.sh", content: "a=169.254; curl -sSf -m 5 http://$a.169.254/ && echo TAKEN\n" } },
    run("sh ./hidden.sh"),
  );
  expect(hidden.status, answers(hidden).join("\n")).toBe("completed");
  expect(hidden.calls[1]?.content).not.toContain("TAKEN");
});

test.describe("the card says what a call wants the machine itself for", () => {
  for (const [command, program] of [
    ["docker ps", "docker"],
    ["sudo id", "sudo"],
  ] as const) {
    test(command, async () => {
      await open(page, "/approvals");
      const asked = await submit(run(command));
      const card = await cardOf(command);
      await expect(card.getByText(`Access outside the sandbox: runs ${program} outside the sandbox`)).toBeVisible();
      await expect(card.getByText(/^The whole line runs outside the sandbox, as \S+\.$/)).toBeVisible();
      await fits(page, `a card of ${command}`);
      const poll = waitForEnd(agent, asked.id);
      await card.getByRole("button", { name: "Reject" }).click();
      await card.getByRole("button", { name: "Reject" }).click();
      expect((await poll).calls[0]?.status).toBe("rejected");
    });
  }
});
