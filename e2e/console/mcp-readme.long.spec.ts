import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { installedNode } from "../../scripts/install-program";
import { expect, test } from "../fixtures";
import { checkPage, open } from "./check-page";

const alias = "store-reader";
let folder: string;
let store: Server;
let port: number;

/** A server as npm installs it, which talks to a store of this machine by a protocol of its own. */
test.beforeAll(async () => {
  store = createServer((socket) => socket.on("error", () => {}).end("forty-two")).listen(0, "127.0.0.1");
  await once(store, "listening");
  port = (store.address() as AddressInfo).port;
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "handrail-readme-")));
  await mkdir(path.join(folder, "dist"));
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ name: "store-mcp", type: "module" }));
  await writeFile(
    path.join(folder, "dist/store.js"),
    `import { connect } from "node:net";
export async function ask() {
  let all = "";
  for await (const part of connect(Number(process.env.STORE_PORT), "127.0.0.1").setEncoding("utf8")) all += part;
  return all;
}`,
  );
  await writeFile(
    path.join(folder, "dist/index.js"),
    `import { createInterface } from "node:readline";
import { ask } from "./store.js";
await ask();
const tools = [["get_value", "Gets a value"], ["set_value", "Sets a value"], ["delete_value", "Deletes a value"]];
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "store", version: "1.0.0" } }),
  "tools/list": () => ({ tools: tools.map(([name, description]) => ({ name, description, inputSchema: { type: "object" } })) }),
  "tools/call": async () => ({ content: [{ type: "text", text: await ask() }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = results[method] ? { result: await results[method](params) } : { error: { code: -32601, message: "unknown" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
}`,
  );
});
test.afterAll(async ({ api }) => {
  const { items } = await api.admin.call(mcpServerEndpoints.list, { query: { query: alias } });
  for (const { id } of items) await api.admin.call(mcpServerEndpoints.remove, { params: { id } });
  store.close();
  await rm(folder, { recursive: true, force: true });
});

test("a README's snippet is read on paste, what the sandbox keeps from it is allowed by its button, and its effects by one click", async ({
  consolePage: page,
}) => {
  const server = { command: installedNode(), args: [path.join(folder, "dist/index.js")], env: { STORE_PORT: String(port) } };
  const snippet = `"${alias}": ${JSON.stringify(server)},`;
  await open(page, "/mcp-servers");
  await page.getByRole("button", { name: "Add server" }).first().click();
  await page.getByRole("button", { name: "Import mcp.json" }).click();
  await page.getByLabel("Configuration").focus();
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, snippet);

  const form = page.getByRole("dialog").locator("form");
  await expect(form.getByLabel("Alias"), "nobody pressed a button to read it").toHaveValue(alias);
  await form.getByRole("button", { name: "Test", exact: true }).click();
  await expect(form.getByText(`The sandbox does not let it reach localhost:${port}.`)).toBeVisible({ timeout: 60_000 });
  await checkPage(page, "a test that the sandbox stopped");
  await form.getByRole("button", { name: `Let it reach localhost:${port}` }).click();
  await expect(form.getByText("Connected", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(form.getByLabel("Allowed private hosts")).toHaveValue(`localhost:${port}`);

  await form.getByRole("button", { name: "Add server" }).click();
  const story = page.getByRole("dialog");
  await expect(story.getByText("Proposed: 1 reads, 1 writes, 1 destroys.")).toBeVisible({ timeout: 60_000 });
  await story.getByRole("button", { name: "Review" }).click();
  await expect(story.getByRole("row", { name: /delete_value/ })).toContainText("its name says “delete”");
  await checkPage(page, "proposed effects");
  await story.getByRole("button", { name: "Confirm all 3" }).click();
  await expect(story.getByRole("region", { name: "Proposed effects" })).toBeHidden();
  await expect(story.getByRole("listitem").filter({ hasText: `${alias}__get_value` })).toContainText("Read-only");
});

test("on a phone the list names the place that the sandbox keeps and allows it by a button, and a server's tabs stand in one line", async ({
  consolePage: page,
  api,
}) => {
  const program = { command: installedNode(), args: [path.join(folder, "dist/index.js")], env: { STORE_PORT: String(port) } };
  const body = { alias: `${alias}-phone`, transport: "stdio" as const, ...program };
  const { id } = await api.admin.call(mcpServerEndpoints.create, { body });
  const statusOf = async () => (await api.admin.call(mcpServerEndpoints.get, { params: { id } })).status;
  await expect.poll(statusOf, { timeout: 60_000 }).toBe("error");
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, "/mcp-servers");
  const row = page.getByRole("listitem").filter({ hasText: body.alias });
  const error = row.getByText(`does not let it reach localhost:${port}`);
  await expect(error).toBeVisible();
  expect(await error.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight), "no line of it is cut").toBeLessThanOrEqual(
    1,
  );
  await row.getByRole("button", { name: `Let it reach localhost:${port}` }).click();
  await expect.poll(statusOf, { timeout: 60_000 }).toBe("connected");
  await open(page, `/mcp-servers?server=${id}`);
  const tops = await page.getByRole("tab").evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
  expect(tops).toHaveLength(5);
  expect(new Set(tops).size).toBe(1);
  await checkPage(page, "a server on a phone");
});
