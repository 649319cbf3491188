import { guardEndpoints } from "@/contracts/guard/guard";
import { expect, test } from "../fixtures";
import { checkPage, fits, open } from "./check-page";
import { submitTurn } from "./submit-requests";

const name = "Hooks of git";

test.afterEach(async ({ api }) => {
  const { items } = await api.admin.call(guardEndpoints.listRules, { query: { limit: 200 } });
  for (const rule of items.filter((rule) => rule.name === name))
    await api.admin.call(guardEndpoints.removeRule, { params: { id: rule.id } });
});

test("a rule relaxes a detector, says so in its sentence, and the call tells of both", async ({ consolePage: page, api }) => {
  await open(page, "/guard");
  await page.getByRole("button", { name: "New rule" }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("combobox", { name: "Tool" }).fill("shell_execute");
  await form.getByText("Allow", { exact: true }).first().click();
  await form.getByLabel("Pattern").fill("^touch \\.husky/");
  await form.getByRole("textbox", { name: "Name" }).fill(name);
  await form.getByRole("button", { name: "Relaxed detectors" }).click();
  const detectors = form.getByRole("textbox", { name: "Detectors" }).or(form.getByRole("combobox", { name: "Detectors" }));
  await detectors.click();
  await expect(page.getByRole("option", { name: /^floor\./ })).toHaveCount(0);
  await detectors.pressSequentially("startup");
  await page.getByRole("option", { name: /shell\.startup_file/ }).click();
  await page.keyboard.press("Escape");
  await expect(form.getByText("whatever shell.startup_file finds")).toBeVisible();
  await checkPage(page, "a rule that relaxes a detector");
  await form.getByRole("button", { name: "Add the rule" }).click();
  await expect(form).toBeHidden();

  const turn = await submitTurn(api.agent, [{ name: "shell_execute", arguments: { command: "touch .husky/pre-commit" } }]);
  expect(turn.calls[0]?.decision).toMatchObject({ verdict: "allow", findings: [{ detector: "shell.startup_file" }] });
  await open(page, `/turns/${turn.id}`);
  await page.getByRole("button", { name: "Why" }).click();
  await expect(page.getByText(`The rule "${name}" relaxes it for this call.`)).toBeVisible();
  await expect(page.getByText("The rule of this decision relaxes this finding.")).toBeVisible();
  await fits(page, "a call whose finding is relaxed");
});
