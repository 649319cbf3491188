import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { guardEndpoints } from "@/contracts/guard/guard";
import { expect, test } from "../fixtures";
import { checkPage, open } from "./check-page";

const result = (page: Page) => page.getByRole("region", { name: "Result", exact: true });
const sent = (page: Page) => result(page).getByRole("group", { name: /^Result sent to the model/ });

/** Opens a tool's Try it with its arguments as JSON. */
async function tryTool(page: Page, tool: string): Promise<void> {
  await open(page, `/tools?tool=${tool}&view=try`);
  await page.getByText("JSON", { exact: true }).click();
}

/** Runs a call, approves it when it asks, and waits for its end. */
async function run(page: Page, args: object, isAsked = false): Promise<string> {
  await page.getByLabel("Arguments as JSON").fill(JSON.stringify(args));
  // Before the first call of an extension tool a turn of its own activates it.
  const submitted = page.waitForResponse(
    (response) => /\/turns$/.test(response.url()) && Boolean(response.request().postData()?.includes('"id":"try"')),
  );
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const { id } = (await (await submitted).json()) as { id: string };
  // Until then the result of the call before is there.
  await expect(result(page).getByRole("link", { name: "Open turn" })).toHaveAttribute("href", `/turns/${id}`);
  if (isAsked) await result(page).getByRole("button", { name: "Approve" }).click();
  await expect(result(page)).toHaveAttribute("data-status", /succeeded|failed/);
  return String(await sent(page).textContent());
}

/** Returns the reference of the line with the words in a snapshot. */
function refOf(snapshot: string, words: RegExp): string {
  const line = snapshot.split("\n").find((each) => words.test(each) && each.includes("[@"));
  return /\[(@\w+)\]/.exec(line ?? "")?.[1] ?? "";
}

const formPage = `<title>Order</title><h1>Order</h1><form action="/sent"><label>Name <input name="name"></label>
<label>Colour <select name="colour"><option value="r">Red</option><option value="b">Blue</option></select></label><button>Send</button></form>`;

/** Starts a site with a form whose answer shows the sent values as text. */
async function startSite() {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://site");
    const isSent = pathname === "/sent";
    response.setHeader("content-type", `text/${isSent ? "plain" : "html"}; charset=utf-8`);
    response.end(isSent ? `Hello ${searchParams.get("name")}, ${searchParams.get("colour")}` : formPage);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { host, url: `http://${host}/form`, close };
}

test("a person fills a form with a real browser, and each action on the page asks", async ({ consolePage: page, api }) => {
  const site = await startSite();
  const { allowedHosts } = await api.admin.call(guardEndpoints.getConfig, {});
  await api.admin.call(guardEndpoints.updateConfig, { body: { allowedHosts: [...allowedHosts, site.host] } });
  try {
    await tryTool(page, "browser_use");
    expect(await run(page, { action: "start" })).toContain("The browser started");
    const form = await run(page, { action: "open", url: site.url });
    expect(form).toContain("status 200");
    const pageUrl = site.url;
    // Without the page's address nobody knows what the action reaches, so it asks.
    await run(page, { action: "type", ref: refOf(form, /textbox "Name"/), text: "Ada" }, true);
    await expect(result(page)).toHaveAttribute("data-status", "succeeded");
    expect(await run(page, { action: "select", ref: refOf(form, /combobox/), value: "Blue", pageUrl })).toContain("Selected");
    expect(await run(page, { action: "click", ref: refOf(form, /button/), pageUrl })).toContain("Hello Ada");
    await run(page, { action: "screenshot" });
    await expect(result(page).getByRole("link", { name: /^image\/png/ })).toBeVisible();
    await checkPage(page, "the screenshot of a tried browser");
    expect(await run(page, { action: "stop" })).toContain("The browser was stopped.");
  } finally {
    await api.admin.call(guardEndpoints.updateConfig, { body: { allowedHosts } });
    site.close();
  }
});

for (const [tool, mediaType, begins] of [
  ["render_pdf", "application/pdf", "%PDF-"],
  ["render_docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "PK"],
] as const) {
  test(`a person renders a document with ${tool} and downloads it`, async ({ consolePage: page }) => {
    await tryTool(page, tool);
    const markdown = "# Quarterly report\n\nIt went **well**.\n\n| Month | Sales |\n|---|---|\n| May | 7 |\n";
    expect(await run(page, { markdown, filename: "report" })).toContain("as an artifact of this call");
    const link = result(page).getByRole("link", { name: new RegExp(`^${mediaType}`) });
    await expect(link).toBeVisible();
    const file = await page.request.get(String(await link.getAttribute("href")));
    expect(file.status()).toBe(200);
    expect((await file.body()).subarray(0, begins.length).toString("latin1")).toBe(begins);
  });
}

test("a person patches two files at once, and a patch that does not fit changes none", async ({ consolePage: page }) => {
  await tryTool(page, "patch");
  const added = ["*** Begin Patch", "*** Add File: one.txt", "+first", "*** Add File: two.txt", "+second", "*** End Patch"].join("\n");
  const text = await run(page, { patch: added });
  expect(text).toContain("one.txt");
  const changed = ["*** Begin Patch", "*** Update File: one.txt", "-first", "+FIRST", "*** Update File: two.txt", "-absent", "+x"].join(
    "\n",
  );
  await run(page, { patch: `${changed}\n*** End Patch` });
  await expect(result(page)).toHaveAttribute("data-status", "failed");
  const right = ["*** Begin Patch", "*** Update File: one.txt", "-first", "+FIRST", "*** End Patch"].join("\n");
  await run(page, { patch: right });
  await expect(result(page)).toHaveAttribute("data-status", "succeeded");
  await checkPage(page, "the result of a tried patch");
});

test("a person starts a process, reads what it prints, and ends it", async ({ consolePage: page }) => {
  await tryTool(page, "process");
  const started = await run(page, { action: "start", command: "echo ready; read line; echo heard $line; sleep 60" });
  const id = /proc_[0-9a-f]{8}/.exec(started)?.[0] ?? "";
  expect(started).toContain("ready");
  expect(await run(page, { action: "write", id, command: "hello" })).toContain("heard hello");
  expect(await run(page, { action: "kill", id })).toMatch(/killed after/);
  expect(await run(page, { action: "list" })).toContain(id);
});
