import { toolEndpoints } from "@/contracts/tools/tools";
import { expect, test } from "../fixtures";
import { checkPage, fits, open, pageOfMember, reopen } from "./check-page";
import { submitTurn } from "./submit-requests";

test("an admin moves a tool to Extension, sees the sums follow, and takes it back", async ({ consolePage: page, api }) => {
  await open(page, "/tools");
  const core = page.getByRole("region", { name: "Core" });
  const extension = page.getByRole("region", { name: "Extension" });
  const tier = page.getByRole("group", { name: "Tier of url_fetch", exact: true });
  await expect(core.getByRole("link", { name: "url_fetch", exact: true })).toBeVisible();
  const sum = core.locator("header");
  const sumBefore = String(await sum.textContent());

  await tier.getByRole("button", { name: "Extension" }).click();
  await expect(extension.getByRole("link", { name: "url_fetch", exact: true })).toBeVisible();
  await expect(core.getByRole("link", { name: "url_fetch", exact: true })).toHaveCount(0);
  await expect(sum).not.toHaveText(sumBefore);
  await expect(page.getByText("url_fetch moved to Extension")).toBeVisible();
  expect((await api.admin.call(toolEndpoints.get, { params: { id: "url_fetch" } })).tier).toBe("extension");

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(core.getByRole("link", { name: "url_fetch", exact: true })).toBeVisible();
  await expect.poll(async () => (await api.admin.call(toolEndpoints.get, { params: { id: "url_fetch" } })).tier).toBe("core");
  await expect(sum).toHaveText(sumBefore);
});

test("a tool that is switched off stays off after a reload, and comes back on", async ({ consolePage: page, api }) => {
  await open(page, "/tools");
  const isOn = page.getByRole("switch", { name: "search_files is on", exact: true });
  await isOn.click();
  await expect(page.getByText("search_files disabled")).toBeVisible();
  await reopen(page);
  await expect(isOn).not.toBeChecked();
  expect((await api.admin.call(toolEndpoints.get, { params: { id: "search_files" } })).enabled).toBe(false);
  await isOn.click();
  await expect.poll(async () => (await api.admin.call(toolEndpoints.get, { params: { id: "search_files" } })).enabled).toBe(true);
});

test("a change that the server refuses is taken back, with the reason", async ({ consolePage: page }) => {
  await open(page, "/tools");
  const detail = "read_file was changed by somebody else meanwhile.";
  await page.route("**/disclosure-tier", (route) =>
    route.fulfill({
      status: 409,
      contentType: "application/problem+json",
      body: JSON.stringify({ type: "about:blank", title: "Conflict", status: 409, code: "conflict", detail, requestId: "r" }),
    }),
  );
  const tier = page.getByRole("group", { name: "Tier of read_file", exact: true });
  await tier.getByRole("button", { name: "Extension" }).click();
  await expect(page.getByText(detail)).toBeVisible();
  await expect(tier.getByRole("button", { name: "Core" })).toHaveAttribute("aria-pressed", "true");
});

test("what stays in Core says why, on hover and by keyboard", async ({ consolePage: page }) => {
  await open(page, "/tools");
  const lock = page.getByRole("button", { name: /^Locked: This tool is how an agent reaches the others/ });
  await lock.first().focus();
  await expect(page.getByRole("tooltip").first()).toContainText("stays in Core");
});

test("the filters stand in the address, and an empty result says how to get out of it", async ({ consolePage: page }) => {
  await open(page, "/tools");
  await page.getByLabel("Search tools").fill("shell command");
  await expect(page.getByRole("link", { name: "shell_execute", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "date_time", exact: true })).toHaveCount(0);
  await expect(page).toHaveURL(/query=shell/);
  await reopen(page);
  await expect(page.getByLabel("Search tools")).toHaveValue("shell command");
  await expect(page.getByRole("link", { name: "date_time", exact: true })).toHaveCount(0);

  await page.getByLabel("Search tools").fill("no tool has these words");
  await expect(page.getByText("No matching tools")).toBeVisible();
  await checkPage(page, "an empty result");
  await page.getByRole("button", { name: "Show all tools" }).click();
  await expect(page.getByRole("link", { name: "date_time", exact: true })).toBeVisible();
});

test("a tool's story has a link of its own, shows the input both ways, and closes with Back and with Escape", async ({
  consolePage: page,
}) => {
  await open(page, "/tools");
  await page.getByRole("link", { name: "read_file", exact: true }).click();
  await expect(page).toHaveURL(/tool=read_file/);
  const story = page.getByRole("dialog");
  await expect(story.getByText("ReadFileTool"), "an alias matters to few").toBeHidden();
  await story.getByText("Technical details").click();
  await expect(story.getByText("ReadFileTool")).toBeVisible();
  await expect(story.getByText("Rule patterns match")).toBeVisible();
  await expect(story.getByText("required").first()).toBeVisible();
  await checkPage(page, "a tool's story");
  await story.getByText("JSON", { exact: true }).click();
  await expect(story.getByRole("group", { name: "Input schema" })).toContainText('"required"');
  await page.goBack();
  await expect(story).toBeHidden();

  await open(page, "/tools?tool=read_file");
  await expect(story.getByRole("heading", { name: "Description" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(story).toBeHidden();
  await expect(page).toHaveURL(/\/tools$/);

  await open(page, "/tools?tool=shell_execute");
  await story.getByRole("link", { name: "Try a call with the guard" }).click();
  await expect(page.getByRole("combobox", { name: "Tool", exact: true })).toHaveValue("shell_execute");
  await expect(page.getByRole("definition").getByText("Allow", { exact: true }).first()).toBeVisible();

  await open(page, "/tools?tool=not_there");
  await expect(page.getByText("No tool has this name")).toBeVisible();
});

test("an admin writes another description and another timeout, and takes both back", async ({ consolePage: page, api }) => {
  const own = await api.admin.call(toolEndpoints.get, { params: { id: "date_time" } });
  await open(page, "/tools?tool=date_time");
  const story = page.getByRole("dialog");
  await story.getByRole("button", { name: "Override description" }).click();
  await story.getByLabel("Description sent to the model").fill("Says what time it is.");
  await story.getByRole("button", { name: "Save" }).click();
  await expect(story.getByRole("region", { name: "Description" }).getByText("Overridden here")).toBeVisible();
  await story.getByLabel("Timeout in seconds").fill("12");
  await story.getByRole("region", { name: "Timeout" }).getByRole("button", { name: "Save" }).click();
  await expect(story.getByRole("region", { name: "Timeout" }).getByText("Overridden here")).toBeVisible();
  const changed = await api.admin.call(toolEndpoints.get, { params: { id: "date_time" } });
  expect([changed.description, changed.timeoutMs]).toEqual(["Says what time it is.", 12_000]);

  await story.getByRole("region", { name: "Description" }).getByRole("button", { name: "Restore the tool's own" }).click();
  await expect(story.getByRole("region", { name: "Description" }).getByText("Overridden here")).toBeHidden();
  await story.getByRole("region", { name: "Timeout" }).getByRole("button", { name: "Restore the tool's own" }).click();
  await expect(story.getByText("Overridden here")).toBeHidden();
  const back = await api.admin.call(toolEndpoints.get, { params: { id: "date_time" } });
  expect([back.description, back.timeoutMs]).toEqual([own.description, own.timeoutMs]);
});

test("an admin gives a tool a result limit of its own and takes it back", async ({ consolePage: page, api }) => {
  await open(page, "/tools?tool=date_time");
  const story = page.getByRole("dialog");
  const part = story.getByRole("region", { name: "Result limit" });
  await part.getByLabel("Result limit in characters").fill("12000");
  await part.getByRole("button", { name: "Save" }).click();
  await expect(part.getByText("Overrides the limit of the workspace")).toBeVisible();
  expect(await api.admin.call(toolEndpoints.get, { params: { id: "date_time" } })).toMatchObject({ resultLimit: 12_000 });
  await part.getByRole("button", { name: "Restore the workspace's limit" }).click();
  await expect(part.getByText("The workspace's limit, from Settings")).toBeVisible();
  expect((await api.admin.call(toolEndpoints.get, { params: { id: "date_time" } })).overrides.resultLimit).toBeNull();
  await open(page, "/tools?tool=read_file");
  await expect(page.getByRole("dialog").getByText("No limit: this tool pages its own results")).toBeVisible();
});

test("a tool that the model's provider runs is off at first, and its story says who runs it", async ({ consolePage: page }) => {
  await open(page, "/tools?source=provider");
  await expect(page.getByRole("switch", { name: "provider_web_search is on", exact: true })).not.toBeChecked();
  await expect(page.getByText("Run by the provider").first()).toBeVisible();
  await fits(page, "tools of a provider");
  await page.getByRole("link", { name: "provider_web_search", exact: true }).click();
  const story = page.getByRole("dialog");
  await expect(story).toContainText("Its calls never reach Handrail: the guard does not check them");
  await expect(story.getByLabel("Timeout in seconds")).toHaveCount(0);
  await fits(page, "the story of a provider's tool");
});

test("the keyboard alone finds a tool, opens it and shows every shortcut", async ({ consolePage: page }) => {
  await open(page, "/tools");
  await expect(page.getByRole("link", { name: "date_time", exact: true })).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByLabel("Search tools")).toBeFocused();
  await page.keyboard.type("time zone");
  await expect(page.getByRole("link", { name: "shell_execute", exact: true })).toHaveCount(0);
  await page.keyboard.press("Tab");
  await page.getByLabel("Search tools").blur();
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "date_time", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toContainText("date_time");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Next row");
  await checkPage(page, "the shortcuts");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await expect(page).toHaveURL(/\/mcp-servers$/);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByPlaceholder("Pages and commands")).toBeFocused();
  await checkPage(page, "the command palette");
  await page.keyboard.type("setti");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/settings$/);
});

test("a viewer sees every tool, can change none, and reads why", async ({ browser, productUrl, api }) => {
  const page = await pageOfMember(browser, productUrl, api, "viewer");
  await open(page, "/tools");
  await expect(page.getByRole("link", { name: "read_file", exact: true })).toBeVisible();
  await expect(page.getByRole("switch", { name: "read_file is on", exact: true })).toBeDisabled();
  await expect(page.getByRole("group", { name: "Tier of read_file", exact: true })).toHaveCount(0);
  const reason = page.getByRole("note", { name: /Viewers can't do this/ }).first();
  await reason.focus();
  await expect(page.getByRole("tooltip").first()).toContainText("Ask an admin");
  await page.context().close();
});

test("the keyboard's focus stays on the tier of a tool whose row moves, three times in a row", async ({ consolePage: page }) => {
  await open(page, "/tools");
  const tier = page.getByRole("group", { name: "Tier of url_fetch", exact: true });
  for (const name of ["Extension", "Core", "Extension", "Core"]) {
    await tier.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
    await expect(tier.getByRole("button", { name })).toHaveAttribute("aria-pressed", "true");
    await expect(tier.getByRole("button", { name })).toBeFocused();
    await expect(tier.getByRole("button", { name })).toBeInViewport();
  }
});

test("many tools are selected, changed at once and changed back, and locked ones say why they stay", async ({ consolePage: page, api }) => {
  const tierOf = async (id: string) => (await api.admin.call(toolEndpoints.get, { params: { id } })).tier;
  await open(page, "/tools");
  const boxes = page.getByRole("region", { name: "Core" }).getByRole("checkbox", { name: /^Select [a-z_]+$/ });
  await boxes.nth(1).click();
  await boxes.nth(4).click({ modifiers: ["Shift"] });
  const bar = page.getByRole("region", { name: "Selected tools" });
  await expect(bar).toContainText("4 selected");
  await checkPage(page, "selected tools");
  await bar.getByRole("button", { name: "Clear selection" }).click();
  await expect(bar).toBeHidden();

  await page.getByLabel("Search tools").fill("file");
  await page
    .getByRole("checkbox", { name: "Select enable_tool" })
    .or(page.getByRole("checkbox", { name: "Select read_file" }))
    .first()
    .click();
  await bar.getByRole("button", { name: /^Select all / }).click();
  await page.getByLabel("Search tools").fill("enable_tool");
  await page.getByRole("checkbox", { name: "Select enable_tool" }).setChecked(true);
  await page.getByLabel("Search tools").fill("");
  await bar.getByRole("button", { name: "Move to Extension" }).click();
  const result = page.getByRole("region", { name: "Result of the change" });
  await expect(result).toContainText(/tools moved to Extension, 1 refused/);
  await expect(result).toContainText("This tool is how an agent reaches the others, so it stays in Core. enable_tool");
  expect([await tierOf("read_file"), await tierOf("enable_tool")]).toEqual(["extension", "core"]);
  await checkPage(page, "the result of a change of many tools");
  await result.getByRole("button", { name: "Undo" }).click();
  await expect(result).toContainText(/^Undone: \d+ tools moved to Core/);
  expect(await tierOf("read_file")).toBe("core");
});

test("a tool's drawer says how often it was called, and shows its recent calls", async ({ consolePage: page, api }) => {
  const timezone = "Pacific/Chatham";
  await submitTurn(api.agent, [{ name: "date_time", arguments: { timezone } }]);
  await open(page, "/tools?tool=date_time");
  const story = page.getByRole("dialog");
  await expect(story.getByText(/^\d+ (finished )?calls?/)).toBeVisible();
  await story.getByRole("tab", { name: "Calls" }).click();
  await expect(page).toHaveURL(/view=calls/);
  const row = story.getByRole("listitem").filter({ hasText: timezone }).first();
  await expect(row).toContainText("Succeeded");
  await checkPage(page, "the recent calls of a tool");
  await row.getByRole("link").click();
  await expect(page).toHaveURL(/\/turns\/[0-9a-f-]+$/);
});
