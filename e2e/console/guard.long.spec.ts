import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { auditEndpoints } from "@/contracts/audit/audit";
import { guardEndpoints } from "@/contracts/guard/guard";
import { type Callers, expect, test } from "../fixtures";
import { checkPage, fits, open, pageOfMember } from "./check-page";
import { submitTurn } from "./submit-requests";

const editor = (page: Page) => page.getByRole("dialog");
const rules = (page: Page) => page.getByRole("list", { name: "Rules in the order in which they are tried" }).getByRole("listitem");

async function removeAllRules({ admin }: Callers) {
  const { items } = await admin.call(guardEndpoints.listRules, { query: { limit: 200 } });
  for (const { id } of items) await admin.call(guardEndpoints.removeRule, { params: { id } });
}

test.beforeEach(({ api }) => removeAllRules(api));
test.afterEach(({ api }) => removeAllRules(api));

async function addRule({ admin }: Callers, name: string, priority: number) {
  return admin.call(guardEndpoints.createRule, { body: { name, tool: "date_time", verdict: "allow", priority } });
}

test("a rule shows what it would have done to the last calls while it is written, and then does it", async ({ consolePage: page, api }) => {
  await submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: "ls -la" } }]);
  const refused = await submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: "rm -rf /" } }]);
  expect(refused.calls[0]?.status).toBe("denied");

  await open(page, "/guard");
  await expect(page.getByText(/^No rules yet/)).toBeVisible();
  await checkPage(page, "a guard without rules");
  await page.getByRole("button", { name: "Presets" }).click();
  await page.getByRole("menuitem", { name: /^Allow read-only shell commands/ }).click();
  const form = editor(page);
  await expect(form.getByText(/^Allow shell_execute when command starts with ls, cat, .* or git branch\.$/)).toBeVisible();
  const preview = form.getByRole("region", { name: "Preview" });
  await expect(preview.getByText("Covers shell_execute")).toBeVisible();
  await expect(preview.getByRole("listitem").filter({ hasText: "rm -rf /" }).first()).toContainText("does not match the pattern");

  await form.getByLabel("Pattern").fill("^(ls|rm");
  await expect(form.getByText(/missing closing \) at character 2/).first()).toBeVisible();
  await fits(page, "a pattern with a mistake");
  await form.getByLabel("Pattern").fill("^(ls|cat|grep|find)(\\s|$)");
  await expect(form.getByText(/missing closing/)).toHaveCount(0);
  await expect(form.getByLabel("Other calls of this tool")).toHaveValue("Ask a person");
  await fits(page, "a rule being written");
  await form.getByRole("button", { name: "Add the rule" }).click();
  await expect(form).toBeHidden();

  await expect(rules(page).nth(0)).toContainText("Allow shell_execute when command starts with ls, cat, grep or find");
  await expect(rules(page).nth(1)).toContainText("Ask a person before shell_execute");
  const allowed = await submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: "ls" } }]);
  expect(allowed.calls[0]?.status).toBe("succeeded");
  const asked = await submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: "touch x" } }]);
  expect(asked.calls[0]?.status).toBe("awaiting_approval");

  // A call that was allowed would be denied by this one: the change stands out before it is saved.
  await page.getByRole("button", { name: "New rule" }).click();
  await form.getByRole("combobox", { name: "Tool" }).fill("shell_execute");
  await form.getByText("Deny", { exact: true }).first().click();
  await expect(preview.getByText(/would change: .*Allow → Deny/)).toBeVisible();
  await expect(preview.getByText(/^Approvals per day: /)).toBeVisible();
  await preview.getByText(/^Would change [1-9]\d*$/).click();
  const flipped = preview.getByRole("list", { name: "Calls that would change" }).getByRole("listitem");
  await expect(flipped.filter({ hasText: "Allow" }).first()).toContainText("Deny");
  await checkPage(page, "a preview with changes");
  await form.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog", { name: "Discard changes?" }).getByRole("button", { name: "Discard" }).click();
  await expect(rules(page)).toHaveCount(3);
});

test("rules change places, are switched off, removed and brought back", async ({ consolePage: page, api }) => {
  await addRule(api, "First", 20);
  await addRule(api, "Second", 10);
  await open(page, "/guard");
  await expect(rules(page)).toHaveCount(3);
  await expect(rules(page).nth(0)).toContainText("First");
  await fits(page, "rules in their order");
  await page.getByRole("button", { name: "Move Second up" }).click();
  await expect(rules(page).nth(0)).toContainText("Second");
  const namesInOrder = async () => (await api.admin.call(guardEndpoints.listRules)).items.map(({ name }) => name);
  await expect.poll(namesInOrder).toEqual(["Second", "First"]);

  await rules(page).nth(0).locator("[draggable]").dragTo(rules(page).nth(1));
  await expect.poll(namesInOrder).toEqual(["First", "Second"]);

  await page.getByRole("switch", { name: "First is on" }).click();
  await expect.poll(async () => (await api.admin.call(guardEndpoints.listRules)).items[0]?.enabled).toBe(false);

  await page.getByRole("button", { name: "More for Second" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await expect(rules(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rules(page)).toHaveCount(3);
  expect(await namesInOrder()).toEqual(["First", "Second"]);
});

test("a rule is opened by its link, changed, and somebody else's newer version is not overwritten", async ({ consolePage: page, api }) => {
  const rule = await addRule(api, "Mine", 10);
  await open(page, `/guard?rule=${rule.id}`);
  const form = editor(page);
  await form.getByLabel("Name").fill("Mine, better");
  await api.admin.call(guardEndpoints.updateRule, {
    params: { id: rule.id },
    body: { name: "Theirs", tool: "date_time", verdict: "deny", priority: 10 },
  });
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("alert")).toBeVisible();
  expect((await api.admin.call(guardEndpoints.getRule, { params: { id: rule.id } })).name).toBe("Theirs");
});

test("a rule that may not mean what it says is mended by a button, and one for a whole program of the machine is called so", async ({
  consolePage: page,
}) => {
  await open(page, "/guard");
  await page.getByRole("button", { name: "New rule" }).click();
  const form = editor(page);
  const warning = (text: string) => form.getByRole("status").filter({ hasText: text });
  await form.getByRole("combobox", { name: "Tool" }).fill("shell_execute");
  await form.getByText("Allow", { exact: true }).first().click();
  await form.getByLabel("Pattern", { exact: true }).fill("^git log");
  await expect(warning("The pattern ends within a word")).toBeVisible();
  await checkPage(page, "a rule with an open pattern");
  await expect(form.getByRole("button", { name: "Use ^git log(?: |$)" })).toBeInViewport({ ratio: 1 });
  await form.getByRole("button", { name: "Use ^git log(?: |$)" }).click();
  await expect(form.getByLabel("Pattern", { exact: true })).toHaveValue("^git log(?: |$)");
  await expect(warning("The pattern ends within a word")).toBeHidden();

  await form.getByLabel("Pattern", { exact: true }).fill("^docker(?: |$)");
  await expect(warning("This is the machine's root.")).toContainText("every use of docker");
  await fits(page, "a rule for a whole program of the machine");

  await form.getByRole("combobox", { name: "Tool", exact: true }).fill("read_file");
  await form.getByText("Deny", { exact: true }).first().click();
  await form.getByLabel("Pattern", { exact: true }).fill("^finance/");
  await expect(warning("Other tools do the same")).toContainText("shell_execute");
  await fits(page, "a rule that leaves doors open");
  await form.getByRole("button", { name: "Use does:reads_path" }).click();
  await expect(form.getByRole("combobox", { name: "Tool", exact: true })).toHaveValue("does:reads_path");
  await expect(warning("Other tools do the same")).toBeHidden();
});

test("a rule compares arguments, knows an exception and a time, and says so in words", async ({ consolePage: page, api }) => {
  await open(page, "/guard");
  await page.getByRole("button", { name: "New rule" }).click();
  const form = editor(page);
  await form.getByRole("combobox", { name: "Tool" }).fill("shell_execute");
  await form.getByText("Allow", { exact: true }).first().click();
  await form.getByLabel("Pattern").fill("^ls");
  await form.getByLabel("Name").fill("Quick looks");
  await form.getByRole("button", { name: "More about the arguments" }).click();
  await form.getByLabel("Except when it matches").fill("-R(");
  await expect(form.getByText(/missing closing \) at character 3/).first()).toBeVisible();
  await form.getByLabel("Except when it matches").fill("-R$");
  await form.getByRole("button", { name: "Compare an argument" }).click();
  await form.getByLabel("Argument of comparison 1").fill("timeoutSeconds");
  await form.getByRole("combobox", { name: "Operator of comparison 1" }).click();
  await page.getByRole("option", { name: "<=", exact: true }).click();
  await form.getByLabel("Value of comparison 1").fill("ten");
  await form.getByRole("button", { name: "Add the rule" }).click();
  await expect(form.getByText(/expected number/i)).toBeVisible();
  await form.getByLabel("Value of comparison 1").fill("10");
  await form.getByRole("button", { name: "Conditions" }).click();
  await form.getByRole("switch", { name: "Only at certain times" }).click();
  await expect(form.getByRole("switch", { name: "Only at certain times" })).toBeChecked();
  await form.getByText("Mon", { exact: true }).click();
  await form.getByLabel("Until").fill("18:30");
  await expect(
    form.getByText(
      /Allow shell_execute when command starts with ls and timeoutSeconds is at most 10, except when command ends with -R, on Mon from 09:00 to 18:30/,
    ),
  ).toBeVisible();
  await checkPage(page, "a rule with everything unfolded");
  await form.getByRole("button", { name: "Add the rule" }).click();
  await expect(form).toBeHidden();
  const [saved] = (await api.admin.call(guardEndpoints.listRules)).items;
  expect(saved).toMatchObject({
    excludePattern: "-R$",
    comparisons: [{ parameter: "timeoutSeconds", operator: "<=", value: 10 }],
    context: { time: { days: ["mon"], from: "09:00", to: "18:30" }, agents: null },
  });
  await open(page, `/guard?rule=${saved?.id}`);
  await expect(form.getByLabel("Value of comparison 1")).toHaveValue("10");
});

test("what cannot be evaluated is said where a call is tried, on the approval and in the audit", async ({ consolePage: page, api }) => {
  await api.admin.call(guardEndpoints.createRule, {
    body: {
      name: "Short waits only",
      tool: "shell_execute",
      verdict: "require_approval",
      comparisons: [{ parameter: "note", operator: ">", value: 5 }],
    },
  });
  await open(page, "/guard?tab=try");
  await page.getByRole("combobox", { name: "Tool" }).fill("shell_execute");
  await page.getByRole("textbox", { name: "command" }).fill("touch x");
  const answer = page.getByRole("region", { name: "Guard decision" });
  await expect(answer.getByText("Not evaluated")).toBeVisible();
  await expect(answer.getByText(/has no argument/).first()).toBeVisible();
  const asked = await submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: "touch x" } }]);
  expect(asked.calls[0]?.decision?.trace[0]).toMatchObject({ result: "could_not_evaluate" });
  await open(page, `/approvals?approval=${asked.calls[0]?.approvalId}`);
  await expect(page.getByText(/has no argument/).first()).toBeVisible();
  const { items } = await api.viewer.call(auditEndpoints.list, { query: { event: "approval.requested", limit: 5 } });
  expect(items.find(({ subject }) => subject === asked.calls[0]?.approvalId)?.data).toMatchObject({
    couldNotEvaluate: [{ ruleName: "Short waits only", why: expect.stringContaining("has no argument") }],
  });
});

test("a rule that is never reached names the rule that decides, in its row and in the editor, and a button moves it", async ({
  consolePage: page,
  api,
}) => {
  await addRule(api, "Every clock", 20);
  // No other journey of the workspace asks for this zone: a call that changed would be asked about.
  const body = { name: "Clock of Chatham", tool: "date_time", verdict: "deny" as const, pattern: "Pacific/Chatham", priority: 10 };
  const { id } = await api.admin.call(guardEndpoints.createRule, { body });
  await submitTurn(api.agent, [{ name: "date_time" }]);
  await open(page, "/guard");
  const row = rules(page).filter({ hasText: "Clock of Chatham" });
  await expect(row).toContainText("Never reached: rule 1 decides every date_time before it");
  await expect(row, "and how many calls it decided").toContainText("no calls in 30 days");
  await expect(rules(page).filter({ hasText: "Every clock" })).toContainText(/[1-9][\d,]* calls? in 30 days/);
  await fits(page, "a rule that is never reached");

  await open(page, `/guard?rule=${id}`);
  const note = editor(page).getByRole("status").filter({ hasText: "Never reached: rule 1 decides every date_time before it" });
  await expect(note).toBeVisible();
  await checkPage(page, "the editor of a rule that is never reached");
  await note.getByRole("button", { name: "Move above rule 1" }).click();
  await expect(note).toBeHidden();

  await open(page, "/guard");
  await row.getByRole("button", { name: "Move above rule 1: Clock of Chatham" }).click();
  await expect(rules(page).first()).toContainText("Clock of Chatham");
  await expect(row).not.toContainText("Never reached");
});

test("what flips a decision is shown before a rule is removed, and restoring shows what it changes", async ({ consolePage: page, api }) => {
  const { policyVersion } = await api.admin.call(guardEndpoints.getConfig);
  await api.admin.call(guardEndpoints.createRule, { body: { name: "No clock", tool: "date_time", verdict: "deny", priority: 10 } });
  await submitTurn(api.agent, [{ name: "date_time", arguments: {} }]);
  await open(page, "/guard");
  await page.getByRole("button", { name: "More for No clock" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  const question = page.getByRole("dialog", { name: "Remove the rule “No clock”?" });
  await expect(question.getByText(/would change: .*Deny → Allow/)).toBeVisible();
  await expect(question.getByText(/^Approvals per day: /)).toBeVisible();
  await checkPage(page, "what removing a rule would do");
  await question.getByRole("button", { name: "Remove" }).click();
  await expect(rules(page)).toHaveCount(1);

  await open(page, "/guard?tab=versions");
  await page.getByRole("button", { name: `Changes in version ${policyVersion + 1}` }).click();
  await expect(page.getByRole("list", { name: "Changes of the policy" })).toContainText("Added No clock");
  await checkPage(page, "what a version changed");
  await page.getByRole("button", { name: `Restore version ${policyVersion + 1}`, exact: true }).click();
  const restore = page.getByRole("dialog", { name: `Restore version ${policyVersion + 1}?` });
  await expect(restore.getByText("Added No clock")).toBeVisible();
  await expect(restore.getByText(/would change: .*Allow → Deny/)).toBeVisible();
  await restore.getByRole("button", { name: "Restore" }).click();
  await expect.poll(async () => (await api.admin.call(guardEndpoints.listRules)).items.map(({ name }) => name)).toEqual(["No clock"]);
});

test("rules are exported and imported again, after a look at what changes", async ({ consolePage: page, api }) => {
  const rule = await addRule(api, "Kept", 10);
  await open(page, "/guard");
  await page.getByRole("button", { name: "File" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export guard" }).click();
  const exported = JSON.parse((await readFile(await (await downloading).path())).toString());
  expect(exported).toMatchObject({ schema: "handrail.guard.v1", count: 1, rules: [{ id: rule.id, name: "Kept" }] });

  const file = (content: unknown) => ({ name: "rules.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(content)) });
  await page.getByRole("button", { name: "File" }).click();
  await page.getByRole("menuitem", { name: "Import guard…" }).click();
  const dialog = page.getByRole("dialog", { name: "Import guard" });
  const choose = (content: unknown) => dialog.locator("input[type=file]").setInputFiles(file(content));
  const bad = { name: "Bad", tool: "*", verdict: "deny", pattern: "^(ls" };
  await choose({ ...exported, rules: [...exported.rules, bad] });
  await expect(dialog.getByText(/Rule 2 \(Bad\), pattern: .*at character 2/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Import" })).toBeDisabled();
  await choose({
    ...exported,
    rules: [
      { ...exported.rules[0], verdict: "deny" },
      { name: "New", tool: "no_such_tool", verdict: "deny" },
    ],
  });
  await expect(dialog.getByText(/1 added, 1 changed, 0 removed, 0 unchanged/)).toBeVisible();
  await expect(dialog.getByText(/Rule 2 \(New\): There is no tool named no_such_tool/)).toBeVisible();
  await expect(dialog.getByRole("region", { name: "Changes of the import" })).toContainText("Changed Kept");
  await checkPage(page, "an import before it is made");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(rules(page)).toHaveCount(3);
  expect((await api.admin.call(guardEndpoints.getRule, { params: { id: rule.id } })).verdict).toBe("deny");
});

test("a call is tried without running it, and the guard says why it decides as it does", async ({ consolePage: page, api }) => {
  await addRule(api, "Clock for all", 10);
  await open(page, "/guard?tab=try");
  await page.getByRole("combobox", { name: "Tool" }).fill("date_time");
  const answer = page.getByRole("region", { name: "Guard decision" });
  await expect(answer.getByText("Clock for all").first()).toBeVisible();
  await expect(answer.getByText("Matched")).toBeVisible();
  await page.getByRole("combobox", { name: "Tool" }).fill("shell_execute");
  await page.getByRole("textbox", { name: "command" }).fill("rm -rf /");
  await expect(answer.getByText("Deny", { exact: true })).toBeVisible();
  await expect(answer.getByRole("list", { name: "Findings" })).toContainText("rm -rf /");
  await checkPage(page, "a call that was tried");
  await page.getByText("JSON", { exact: true }).click();
  await expect(page.getByLabel("Arguments as JSON")).toHaveValue(/"command": "rm -rf \/"/);
  await page.getByLabel("Arguments as JSON").fill("{");
  await expect(page.getByText("Not a JSON object yet")).toBeVisible();
});

test("a recorded call is tried again for its agent, and becomes a rule about exactly this call", async ({ consolePage: page, api }) => {
  const path = `recorded-${Date.now()}.txt`;
  await submitTurn(api.agent, [{ name: "write_file", arguments: { path, content: "x" } }]);
  await open(page, "/guard?tab=try&tool=write_file");
  await page.getByRole("combobox", { name: "Recorded call" }).click();
  await page.getByRole("option").filter({ hasText: path }).click();
  await expect(page.getByRole("textbox", { name: "path" })).toHaveValue(path);
  await expect(page.getByRole("combobox", { name: "Agent" })).toHaveValue("default");
  const answer = page.getByRole("region", { name: "Guard decision" });
  await expect(answer.getByText("Patterns without a parameter match against")).toContainText(path);
  await fits(page, "a recorded call that is tried again");

  await answer.getByRole("button", { name: "Make a rule from this call" }).click();
  const form = page.getByRole("dialog", { name: "New rule" });
  await expect(form.getByLabel("Name", { exact: true })).toHaveValue(`write_file: ${path}`);
  await form.getByRole("button", { name: "Add the rule" }).click();
  await expect(form).toBeHidden();
  const { items } = await api.admin.call(guardEndpoints.listRules, { query: { limit: 200 } });
  expect(items.find(({ name }) => name === `write_file: ${path}`)).toMatchObject({
    tool: "write_file",
    pattern: `^${path.replaceAll(".", "\\.")}$`,
    verdict: "require_approval",
  });
});

test("turning the guard off asks for a word and is shown everywhere; an earlier version brings everything back", async ({
  consolePage: page,
  api,
}) => {
  const { policyVersion } = await api.admin.call(guardEndpoints.getConfig);
  try {
    await open(page, "/guard");
    await page.getByRole("switch", { name: "Guard" }).click();
    const question = page.getByRole("dialog", { name: "Turn the guard off?" });
    await expect(question.getByRole("button", { name: "Turn the guard off" })).toBeDisabled();
    await question.getByRole("textbox").fill("turn off");
    await question.getByRole("button", { name: "Turn the guard off" }).click();
    await expect(page.getByRole("alert").getByText("The guard is off")).toBeVisible();
    await checkPage(page, "a guard that is off");
    const free = await submitTurn(api.agent, [{ name: "write_file", arguments: { path: "free.txt", content: "x" } }]);
    expect(free.calls[0]?.status).toBe("succeeded");
    await open(page, "/");
    await expect(page.getByText("Off: every call runs")).toBeVisible();

    await open(page, "/guard?tab=versions");
    await checkPage(page, "the versions of the policy");
    await page.getByRole("button", { name: `Restore version ${policyVersion}`, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await expect(page.getByText("The guard is off")).toHaveCount(0);
    expect((await api.admin.call(guardEndpoints.getConfig)).enabled).toBe(true);
  } finally {
    await api.admin.call(guardEndpoints.updateConfig, { body: { enabled: true } });
  }
});

test("the default policy changes with its meaning beside it, and can be taken back", async ({ consolePage: page, api }) => {
  try {
    await open(page, "/guard");
    await page.getByRole("combobox", { name: "When no rule matches" }).click();
    await page.getByRole("option", { name: /^Deny/ }).click();
    await expect(page.getByText("Only calls that a rule allows run.").first()).toBeVisible();
    await expect.poll(async () => (await api.admin.call(guardEndpoints.getConfig)).defaultPolicy).toBe("deny");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await api.admin.call(guardEndpoints.getConfig)).defaultPolicy).toBe("by_effect");
  } finally {
    await api.admin.call(guardEndpoints.updateConfig, { body: { defaultPolicy: "by_effect" } });
  }
});

test("an approver reads the policy and cannot change it", async ({ browser, productUrl, api }) => {
  const rule = await addRule(api, "Look, do not touch", 10);
  const page = await pageOfMember(browser, productUrl, api, "approver");
  await open(page, "/guard");
  await expect(page.getByRole("button", { name: "New rule" })).toBeDisabled();
  await expect(page.getByRole("switch", { name: "Look, do not touch is on" })).toBeDisabled();
  await open(page, `/guard?rule=${rule.id}`);
  await expect(editor(page).getByRole("button", { name: "Save" })).toBeDisabled();
  await page.context().close();
});
