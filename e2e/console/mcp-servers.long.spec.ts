import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "@playwright/test";
import { type McpServer, mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { toolEndpoints } from "@/contracts/tools/tools";
import { installedNode, installFilesystemServer } from "../../scripts/install-program";
import { type Callers, expect, test } from "../fixtures";
import { checkPage, open, pageOfMember } from "./check-page";

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "handrail-files-"));
  await writeFile(path.join(folder, "hello.txt"), "hello");
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

async function fillIn(page: Page, alias: string, command: string, args: string[]) {
  const form = page.getByRole("dialog").locator("form");
  await form.getByLabel("Alias").fill(alias);
  await form.getByLabel("Command").fill(command);
  await form.getByLabel("Arguments").fill(args.join("\n"));
  return form;
}

async function serverNamed(api: Callers, alias: string): Promise<McpServer | undefined> {
  const { items } = await api.admin.call(mcpServerEndpoints.list, { query: { limit: 200 } });
  return items.find((server) => server.alias === alias);
}

const toolNamed = (api: Callers, name: string) => api.admin.call(toolEndpoints.get, { params: { id: name } });

async function removeServer(api: Callers, alias: string) {
  const server = await serverNamed(api, alias);
  if (server) await api.admin.call(mcpServerEndpoints.remove, { params: { id: server.id } });
}

test("an admin tests and adds the real filesystem server, finds its tools under Extension, and removes it", async ({
  consolePage: page,
  api,
}) => {
  await open(page, "/mcp-servers");
  await page.getByRole("button", { name: "Add server" }).first().click();
  await page.getByRole("button", { name: /^Filesystem/ }).click();
  await expect(page.getByText("This starts a program on Handrail's machine")).toBeVisible();
  const form = await fillIn(page, "e2e-files", installedNode(), [await installFilesystemServer(), folder]);
  await form.getByRole("button", { name: "Test", exact: true }).click();
  await expect(form.getByText("Connected", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(form.getByText("read_text_file")).toBeVisible();
  await checkPage(page, "a test that went well");
  expect(await serverNamed(api, "e2e-files"), "a test saves nothing").toBeUndefined();

  await form.getByRole("button", { name: "Add server" }).click();
  const story = page.getByRole("dialog");
  // Nobody reloads the page: it notices by itself.
  await expect(story.getByText("Connected", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(story.getByRole("link", { name: "e2e-files__read_text_file" })).toBeVisible();
  await checkPage(page, "a server's story");
  await page.keyboard.press("Escape");

  await page.getByRole("navigation").getByRole("link", { name: "Tools" }).click();
  const extension = page.getByRole("region", { name: "Extension" });
  await expect(extension.getByRole("link", { name: "e2e-files__read_text_file" })).toBeVisible();
  await extension
    .getByRole("listitem")
    .filter({ hasText: "e2e-files__read_text_file" })
    .getByRole("button", { name: /^Locked: .*e2e-files/ })
    .hover();
  await expect(page.getByRole("tooltip")).toContainText("decided by its MCP server");

  await page.getByRole("navigation").getByRole("link", { name: "MCP servers" }).click();
  await page.getByRole("group", { name: "Tier of the tools of e2e-files" }).getByRole("button", { name: "Core" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "Tools" }).click();
  await expect(page.getByRole("region", { name: "Core" }).getByRole("link", { name: "e2e-files__read_text_file" })).toBeVisible();

  await open(page, "/mcp-servers?server=e2e-files");
  await page.getByRole("button", { name: "Remove" }).click();
  const removal = page.getByRole("dialog", { name: "Remove e2e-files" });
  const confirm = removal.getByRole("button", { name: "Remove server" });
  await expect(confirm).toBeDisabled();
  await removal.getByRole("textbox").fill("e2e-files");
  await checkPage(page, "the question before a removal");
  await confirm.click();
  await expect(page.getByText("e2e-files removed")).toBeVisible();
  await expect(page.getByRole("link", { name: "e2e-files", exact: true })).toHaveCount(0);
  expect(await serverNamed(api, "e2e-files")).toBeUndefined();
});

test("a server that does not start says why, with its last words, and nothing else stops", async ({ consolePage: page, api }) => {
  await open(page, "/mcp-servers?server=new");
  const form = await fillIn(page, "e2e-broken", installedNode(), ["-e", "console.error('cannot open the ledger'); process.exit(3)"]);
  await form.getByRole("button", { name: "Test", exact: true }).click();
  await expect(form.getByText("Failed", { exact: true })).toBeVisible({ timeout: 60_000 });
  const lastWords = page.getByRole("group", { name: "Last lines of stderr" });
  await expect(lastWords).toHaveText("cannot open the ledger");
  await form.getByRole("button", { name: "Add server" }).click();
  const story = page.getByRole("dialog");
  await expect(story.getByText("Error", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(story.getByRole("region", { name: "Error" })).toContainText("exit code 3");
  await expect(lastWords).toHaveText("cannot open the ledger");
  await checkPage(page, "a server that failed");
  await open(page, "/tools");
  await expect(page.getByRole("link", { name: "read_file", exact: true })).toBeVisible();
  await removeServer(api, "e2e-broken");
});

test("a secret is masked when it comes back, and kept when the form is saved again", async ({ consolePage: page, api }) => {
  await open(page, "/mcp-servers?server=new");
  const form = await fillIn(page, "e2e-secret", installedNode(), [await installFilesystemServer(), folder]);
  await form.getByRole("button", { name: "Add a variable" }).click();
  await form.getByLabel("Name of variable 1").fill("TOKEN");
  await form.getByLabel("Value of TOKEN").fill("swordfish-and-chips");
  await form.getByRole("button", { name: "Add server" }).click();
  const story = page.getByRole("dialog");
  await expect(story.getByText("TOKEN = sw***")).toBeVisible();
  await story.getByRole("button", { name: "Edit" }).click();
  await expect(story.getByLabel("Value of TOKEN")).toHaveValue("sw***");
  await expect(story.getByText("Stored. Type over it to replace it.")).toBeVisible();
  await checkPage(page, "the settings of a server");
  await story.getByRole("button", { name: "More settings" }).click();
  await story.getByLabel("Call timeout").fill("45");
  await story.getByRole("button", { name: "Save" }).click();
  await expect(story.getByText("call 45 s")).toBeVisible();
  await expect(story.getByText("TOKEN = sw***")).toBeVisible();
  expect(JSON.stringify(await serverNamed(api, "e2e-secret"))).not.toContain("swordfish");
  await removeServer(api, "e2e-secret");
});

test("the servers are exported for another program, with the names of the secrets that stay behind", async ({ consolePage: page, api }) => {
  await api.admin.call(mcpServerEndpoints.create, {
    body: { alias: "e2e-export", transport: "stdio", command: "node", env: { API_KEY: "sk-export-0123456789abcdef" }, enabled: false },
  });
  await open(page, "/mcp-servers");
  await page.getByRole("button", { name: "Export" }).click();
  const drawer = page.getByRole("dialog", { name: "Export servers" });
  await expect(drawer.getByRole("list", { name: "Values to supply" })).toContainText("E2E_EXPORT_API_KEY");
  await drawer.getByLabel("For").selectOption("vscode");
  const configuration = drawer.getByRole("group", { name: "Configuration" });
  await expect(configuration).toContainText(/\$\{input:E2E_EXPORT_API_KEY\}/);
  await expect(configuration).not.toContainText("sk-export");
  await checkPage(page, "an export");
  await drawer.getByLabel("For").selectOption("registry");
  await expect(drawer.getByRole("list", { name: "Servers that are left out" })).toContainText("e2e-export is left out.");
  await checkPage(page, "an export without a server");
  await drawer.getByLabel("For").selectOption("vscode");
  await expect(configuration).toContainText(/\$\{input:E2E_EXPORT_API_KEY\}/);
  const [download] = await Promise.all([page.waitForEvent("download"), drawer.getByRole("link", { name: "Download" }).click()]);
  expect(download.suggestedFilename()).toBe("mcp.json");
  await removeServer(api, "e2e-export");
});

test("what is wrong with the settings stands where it is wrong", async ({ consolePage: page }) => {
  await open(page, "/mcp-servers?server=new");
  const form = await fillIn(page, "Not An Alias", "", []);
  await form.getByRole("button", { name: "Add server" }).click();
  await expect(form.getByText("an alias has 1 to 32 lower-case letters", { exact: false })).toBeVisible();
  await expect(form.getByText("a stdio server needs the command that starts it")).toBeVisible();
  await form.getByText("Streamable HTTP", { exact: true }).click();
  await form.getByLabel("URL").fill("not a url");
  await form.getByRole("button", { name: "Add server" }).click();
  await expect(form.getByLabel("URL")).toHaveAttribute("aria-invalid", "true");
  await checkPage(page, "settings with mistakes");
});

test("the configuration of another MCP client fills in the form", async ({ consolePage: page }) => {
  await open(page, "/mcp-servers?server=new");
  await page.getByRole("button", { name: "Import mcp.json" }).click();
  await page.getByLabel("Configuration").fill("{");
  await page.getByRole("button", { name: "Read configuration" }).click();
  await expect(page.getByText("This is not JSON")).toBeVisible();
  await page
    .getByLabel("Configuration")
    .fill(JSON.stringify({ mcpServers: { Weather: { url: "https://weather.example/mcp", headers: { "X-Key": "$env:WEATHER_KEY" } } } }));
  await expect(page.getByText("This is not JSON"), "what was wrong before is not said of what stands there now").toHaveCount(0);
  await page.getByRole("button", { name: "Read configuration" }).click();
  await expect(page.getByLabel("Alias")).toHaveValue("weather");
  await expect(page.getByLabel("URL")).toHaveValue("https://weather.example/mcp");
  await expect(page.getByLabel("Value of X-Key")).toHaveValue("$env:WEATHER_KEY");
});

test("of a configuration with several servers a person chooses, and none vanishes without a word", async ({ consolePage: page, api }) => {
  await open(page, "/mcp-servers?server=new");
  await page.getByRole("button", { name: "Import mcp.json" }).click();
  await page.getByLabel("Configuration").fill(`{
    // what VS Code writes
    "servers": {
      "e2e-one": { "command": "${installedNode()}", "args": ["-e", "first\\nsecond"], "disabled": true, },
      "e2e-two": { "type": "http", "url": "https://two.example/mcp", "enabled": false },
      "e2e-three": { "command": "node", "env": { "TOKEN": "\${input:token}" } },
      "e2e-four": { "args": [] },
    },
  }`);
  await page.getByRole("button", { name: "Read configuration" }).click();
  const found = page.getByRole("region", { name: "Servers to add" });
  await expect(found.getByText("4 servers found. Choose which to add.")).toBeVisible();
  await expect(found.getByLabel("env.TOKEN")).toBeVisible();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Cancel" }), "one way out and one way on").toHaveCount(1);
  await expect(dialog.getByRole("button", { name: /^Add / })).toHaveCount(1);
  await expect(found.getByText("It has neither a command nor a URL.")).toBeVisible();
  await checkPage(page, "servers to choose from");
  await found.getByRole("checkbox", { name: "e2e-two" }).click();
  await dialog.getByRole("button", { name: "Add 1 server" }).click();
  await expect(found.getByText("Added as e2e-one.")).toBeVisible();
  expect(await serverNamed(api, "e2e-two")).toBeUndefined();
  const added = await serverNamed(api, "e2e-one");
  expect(added).toMatchObject({ enabled: false, args: ["-e", "first\nsecond"] });

  // Opened and saved, an argument with a line break is still one.
  await open(page, "/mcp-servers?server=e2e-one&edit=true");
  const form = page.getByRole("dialog");
  await expect(form.getByLabel("Arguments")).toHaveValue('-e\n"first\\nsecond"');
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("e2e-one saved")).toBeVisible();
  expect((await serverNamed(api, "e2e-one"))?.args).toEqual(["-e", "first\nsecond"]);
  await removeServer(api, "e2e-one");
});

test("an admin allows no tool, releases the lock of the tiers, and sets one tool by itself", async ({ consolePage: page, api }) => {
  await open(page, "/mcp-servers?server=new");
  const form = await fillIn(page, "e2e-single", installedNode(), [await installFilesystemServer(), folder]);
  await form.getByRole("switch", { name: "Tier per tool" }).click();
  await form.getByRole("button", { name: "Add server" }).click();
  const story = page.getByRole("dialog");
  await expect(story.getByText("Connected", { exact: true })).toBeVisible({ timeout: 60_000 });
  const row = story.getByRole("listitem").filter({ hasText: "e2e-single__write_file" });
  await row.getByRole("switch", { name: "e2e-single__write_file is on" }).click();
  await expect.poll(async () => (await toolNamed(api, "e2e-single__write_file")).enabled).toBe(false);
  await row.getByRole("button", { name: "Core" }).click();
  await expect.poll(async () => (await toolNamed(api, "e2e-single__write_file")).tier).toBe("core");
  await checkPage(page, "a server whose tools are set one by one");

  await open(page, "/tools?tool=e2e-single__write_file");
  await page.getByRole("dialog").getByRole("combobox", { name: "Effect" }).click();
  await page.getByRole("option", { name: "Read-only" }).click();
  await expect.poll(async () => (await toolNamed(api, "e2e-single__write_file")).overrides.effect).toBe("read");

  await open(page, "/mcp-servers?server=e2e-single&edit=true");
  await story.getByRole("button", { name: "More settings" }).click();
  await story.getByText("Only these", { exact: true }).click();
  await expect(story.getByText("Empty: no tool is allowed.")).toBeVisible();
  await story.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await serverNamed(api, "e2e-single"))?.toolCount).toBe(0);
  expect((await serverNamed(api, "e2e-single"))?.allowedTools).toEqual([]);
  await removeServer(api, "e2e-single");
});

test("an approver sees the servers and cannot add one", async ({ browser, productUrl, api }) => {
  const page = await pageOfMember(browser, productUrl, api, "approver");
  await open(page, "/mcp-servers");
  await expect(page.getByRole("button", { name: "Add server" }).first()).toBeDisabled();
  await expect(page.getByRole("note", { name: /Approvers can't do this/ }).first()).toBeVisible();
  await open(page, "/mcp-servers?server=new");
  await expect(page.getByText("Servers are added by admins")).toBeVisible();
  await expect(page.getByLabel("Alias"), "a form that could not be saved is not shown").toHaveCount(0);
  await page.context().close();
});
