import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "@playwright/test";
import { type McpServer, mcpServerEndpoints } from "@/contracts/mcp-servers";
import { type Callers, expect, test } from "../fixtures";
import { lookClosely, open, pageOfMember } from "./look-closely";

const filesystemServer = path.resolve(import.meta.dirname, "../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");

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
  await expect(page.getByText("This starts a program on the machine that Handrail runs on")).toBeVisible();
  const form = await fillIn(page, "e2e-files", process.execPath, [filesystemServer, folder]);
  await form.getByRole("button", { name: "Test", exact: true }).click();
  await expect(form.getByText("It works")).toBeVisible({ timeout: 60_000 });
  await expect(form.getByText("read_text_file")).toBeVisible();
  await lookClosely(page, "a test that went well");
  expect(await serverNamed(api, "e2e-files"), "a test saves nothing").toBeUndefined();

  await form.getByRole("button", { name: "Add server" }).click();
  const story = page.getByRole("dialog");
  // Nobody reloads the page: it notices by itself.
  await expect(story.getByText("Connected", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(story.getByRole("link", { name: "e2e-files__read_text_file" })).toBeVisible();
  await lookClosely(page, "a server's story");
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
  await lookClosely(page, "the question before a removal");
  await confirm.click();
  await expect(page.getByText("e2e-files is removed")).toBeVisible();
  await expect(page.getByRole("link", { name: "e2e-files", exact: true })).toHaveCount(0);
  expect(await serverNamed(api, "e2e-files")).toBeUndefined();
});

test("a server that does not start says why, with its last words, and nothing else stops", async ({ consolePage: page, api }) => {
  await open(page, "/mcp-servers?server=new");
  const form = await fillIn(page, "e2e-broken", process.execPath, ["-e", "console.error('cannot open the ledger'); process.exit(3)"]);
  await form.getByRole("button", { name: "Test", exact: true }).click();
  await expect(form.getByText("It does not work")).toBeVisible({ timeout: 60_000 });
  const lastWords = page.getByRole("group", { name: "Last lines of its error stream" });
  await expect(lastWords).toHaveText("cannot open the ledger");
  await form.getByRole("button", { name: "Add server" }).click();
  const story = page.getByRole("dialog");
  await expect(story.getByText("Error", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(story.getByRole("region", { name: "What is wrong" })).toContainText("exit code 3");
  await expect(lastWords).toHaveText("cannot open the ledger");
  await lookClosely(page, "a server that failed");
  await open(page, "/tools");
  await expect(page.getByRole("link", { name: "read_file", exact: true })).toBeVisible();
  await removeServer(api, "e2e-broken");
});

test("a secret is masked when it comes back, and kept when the form is saved again", async ({ consolePage: page, api }) => {
  await open(page, "/mcp-servers?server=new");
  const form = await fillIn(page, "e2e-secret", process.execPath, [filesystemServer, folder]);
  await form.getByRole("button", { name: "Add a variable" }).click();
  await form.getByLabel("Name of variable 1").fill("TOKEN");
  await form.getByLabel("Value of TOKEN").fill("swordfish-and-chips");
  await form.getByRole("button", { name: "Add server" }).click();
  const story = page.getByRole("dialog");
  await expect(story.getByText("TOKEN = sw***")).toBeVisible();
  await story.getByRole("button", { name: "Edit" }).click();
  await expect(story.getByLabel("Value of TOKEN")).toHaveValue("sw***");
  await expect(story.getByText("Stored. Type over it to replace it.")).toBeVisible();
  await lookClosely(page, "the settings of a server");
  await story.getByRole("button", { name: "More settings" }).click();
  await story.getByLabel("Time for a call").fill("45");
  await story.getByRole("button", { name: "Save" }).click();
  await expect(story.getByText("45 s for a call")).toBeVisible();
  await expect(story.getByText("TOKEN = sw***")).toBeVisible();
  expect(JSON.stringify(await serverNamed(api, "e2e-secret"))).not.toContain("swordfish");
  await removeServer(api, "e2e-secret");
});

test("what is wrong with the settings stands where it is wrong", async ({ consolePage: page }) => {
  await open(page, "/mcp-servers?server=new");
  const form = await fillIn(page, "Not An Alias", "", []);
  await form.getByRole("button", { name: "Add server" }).click();
  await expect(form.getByText("an alias has 1 to 32 lower-case letters", { exact: false })).toBeVisible();
  await expect(form.getByText("a stdio server needs the command that starts it")).toBeVisible();
  await form.getByText("HTTP", { exact: true }).click();
  await form.getByLabel("URL").fill("not a url");
  await form.getByRole("button", { name: "Add server" }).click();
  await expect(form.getByLabel("URL")).toHaveAttribute("aria-invalid", "true");
  await lookClosely(page, "settings with mistakes");
});

test("the configuration of another MCP client fills in the form", async ({ consolePage: page }) => {
  await open(page, "/mcp-servers?server=new");
  await page.getByRole("button", { name: "Paste another program's configuration" }).click();
  await page.getByLabel("Configuration").fill("{");
  await page.getByRole("button", { name: "Fill in the form" }).click();
  await expect(page.getByText("This is not JSON")).toBeVisible();
  await page
    .getByLabel("Configuration")
    .fill(JSON.stringify({ mcpServers: { Weather: { url: "https://weather.example/mcp", headers: { "X-Key": "$env:WEATHER_KEY" } } } }));
  await page.getByRole("button", { name: "Fill in the form" }).click();
  await expect(page.getByLabel("Alias")).toHaveValue("weather");
  await expect(page.getByLabel("URL")).toHaveValue("https://weather.example/mcp");
  await expect(page.getByLabel("Value of X-Key")).toHaveValue("$env:WEATHER_KEY");
});

test("an approver sees the servers and cannot add one", async ({ browser, productUrl, api }) => {
  const page = await pageOfMember(browser, productUrl, api, "approver");
  await open(page, "/mcp-servers");
  await expect(page.getByRole("button", { name: "Add server" }).first()).toBeDisabled();
  await expect(page.getByRole("note", { name: /Your role, approver, does not include this/ }).first()).toBeVisible();
  await page.context().close();
});
