import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Page } from "@playwright/test";
import postgres from "postgres";
import { auditEndpoints } from "@/contracts/audit/audit";
import { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { installedNode, installProgram } from "../../scripts/install-program";
import { type Callers, expect, test } from "../fixtures";
import { newMcpKey, pendingId, textOf } from "../mcp-texts";
import { freePort } from "../product";
import { type RestartablePostgres, startRestartablePostgres } from "../replicas/restartable-postgres";
import { checkPage, open } from "./check-page";
import { openInbox, openLine } from "./pending-approvals";

// Programs are those of node_modules, each as one file outside of the checkout, because the sandbox hides the checkout:
// the official everything server, mcp-remote, and a small server of our own for a real Postgres.
const modules = path.resolve("node_modules");
let database: RestartablePostgres;
let remote: ChildProcess;
let remotePort: number;

test.beforeAll(async () => {
  database = await startRestartablePostgres();
  const sql = postgres(database.url, { max: 1 });
  await sql`create table invoices as select 41 as id`;
  await sql`create view slow_invoices as select 41 as id from pg_sleep(2)`;
  await sql.end();
  remotePort = await freePort();
  const everything = path.join(modules, "@modelcontextprotocol/server-everything/dist/index.js");
  remote = spawn(process.execPath, [everything, "streamableHttp"], { env: { ...process.env, PORT: `${remotePort}` } });
  await Promise.race([once(remote.stderr ?? remote, "data"), once(remote, "exit")]);
});
test.afterAll(async ({ api }) => {
  const { items } = await api.admin.call(mcpServerEndpoints.list, { query: {} });
  for (const { id } of items) await api.admin.call(mcpServerEndpoints.remove, { params: { id } });
  remote.kill("SIGKILL");
  await database.remove();
});

/** Pastes a snippet into the import, as a person who has copied it from a README. */
async function paste(page: Page, alias: string, args: string[]): Promise<void> {
  await open(page, "/mcp-servers");
  await page.getByRole("button", { name: "Add server" }).first().click();
  await page.getByRole("button", { name: "Import mcp.json" }).click();
  await page.getByLabel("Configuration").focus();
  await page.evaluate(
    (text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    JSON.stringify({ mcpServers: { [alias]: { command: installedNode(), args } } }),
  );
  await expect(page.getByRole("dialog").locator("form").getByLabel("Alias")).toHaveValue(alias);
}

/** Adds the pasted server, presses the button that its failure offers, and confirms its effects by one click. */
async function add(page: Page, { cure, effects }: { cure: string | null; effects: string }): Promise<void> {
  const story = page.getByRole("dialog");
  await story.locator("form").getByRole("button", { name: "Add server" }).click();
  if (cure) await story.getByRole("button", { name: cure }).click({ timeout: 90_000 });
  const proposed = story.getByRole("region", { name: "Proposed effects" });
  await expect(proposed).toContainText(effects, { timeout: 90_000 });
  await proposed.getByRole("button", { name: /^Confirm all/ }).click();
  await expect(proposed).toBeHidden();
}

type Form = { elicit: (() => Record<string, string>) | null };

async function connect(api: Callers, productUrl: string, { elicit }: Form): Promise<Client> {
  const capabilities = elicit ? { elicitation: { form: {} } } : {};
  const client = new Client({ name: "parallel", version: "1.0.0" }, { versionNegotiation: { mode: "auto" }, capabilities });
  if (elicit) client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: elicit() }));
  const requestInit = { headers: { authorization: `Bearer ${await newMcpKey(api)}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", productUrl), { requestInit }));
  return client;
}

test("any server as its README says, any client as it is: a local, a database and a remote server are pasted, mended, confirmed and used", async ({
  consolePage: page,
  api,
  productUrl,
}) => {
  test.setTimeout(300_000);
  await paste(page, "everything", [await installProgram("everything", `${modules}/@modelcontextprotocol/server-everything/dist/index.js`)]);
  await add(page, { cure: null, effects: "Proposed:" });

  const { port } = new URL(database.url);
  await paste(page, "invoices", [
    await installProgram("postgres", path.resolve("server/testing/mcp/postgres-mcp-server.mjs")),
    database.url,
  ]);
  await add(page, { cure: `Let it reach localhost:${port}`, effects: "Proposed: 3 read, 1 destroys." });

  const bridge = await installProgram("mcp-remote", `${modules}/mcp-remote/dist/proxy.js`);
  await paste(page, "remote", [bridge, `http://127.0.0.1:${remotePort}/mcp`, "--allow-http"]);
  await add(page, { cure: `Let it reach localhost:${remotePort}`, effects: "Proposed:" });
  await open(page, "/mcp-servers");
  for (const alias of ["everything", "invoices", "remote"]) {
    await expect(page.getByRole("listitem").filter({ hasText: alias }).first()).toContainText("Connected");
  }
  await checkPage(page, "three servers of READMEs");

  const client = await connect(api, productUrl, { elicit: () => ({ name: "invoices" }) });
  const enabled = ["everything__echo", "remote__echo", "invoices__read_table", "invoices__find_table"].join(",");
  await client.callTool({ name: "enable_tool", arguments: { toolName: enabled } });
  const call = async (name: string, args: Record<string, unknown>) => textOf(await client.callTool({ name, arguments: args }));
  const startedAt = Date.now();
  const slow = Array.from({ length: 6 }, () => call("invoices__read_table", { table: "slow_invoices" }));
  const quick = Array.from({ length: 20 }, (_, at) => call(at % 2 ? "everything__echo" : "remote__echo", { message: `word ${at}` }));
  expect(await Promise.all(slow)).toEqual(Array.from({ length: 6 }, () => '[{"id":41}]'));
  expect(Date.now() - startedAt, "six reads of two seconds overlap").toBeLessThan(9_000);
  expect(await Promise.all(quick)).toEqual(Array.from({ length: 20 }, (_, at) => expect.stringContaining(`word ${at}`)));
  expect(await call("invoices__find_table", {}), "answered in the client").toBe('[{"table_name":"invoices"}]');
  await client.close();

  const quiet = await connect(api, productUrl, { elicit: null });
  const asked = textOf(
    await quiet.callTool({ name: "tool_call", arguments: { toolName: "invoices__drop_table", arguments: { table: "invoices" } } }),
  );
  const id = pendingId(asked);
  await openInbox(page, "invoices__drop_table");
  await (await openLine(page, "invoices")).getByRole("button", { name: "Approve once" }).click();
  await openInbox(page, "Really drop invoices");
  const question = await openLine(page, "Really drop invoices?");
  await checkPage(page, "a server's question in the inbox");
  await question.getByRole("textbox").fill("invoices");
  await question.getByRole("button", { name: "Answer" }).click();
  expect(textOf(await quiet.callTool({ name: "get_result", arguments: { id } })), "answered in the inbox").toContain("Dropped invoices");
  await quiet.close();

  const { items } = await api.admin.call(auditEndpoints.list, { query: { event: "mcp_server.question_answered" } });
  expect(items.map(({ data }) => (data as { where: string }).where).toSorted()).toEqual(["client", "console"]);
});
