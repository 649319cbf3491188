import { shellSettingsEndpoints } from "@/contracts/tools/shell";
import { expect, test } from "../fixtures";
import { checkPage, open, reopen } from "./check-page";

test("an admin turns Python on, sets a prefix and a variable, and the value is not shown again", async ({ consolePage: page, api }) => {
  await open(page, "/settings");
  const section = page.locator("section", { has: page.getByRole("heading", { name: "Commands", exact: true }) });
  await section.getByLabel("Python in execute_code").click();
  await section.getByLabel("Command prefix").fill("nice; rm");
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section.getByLabel("Command prefix")).toHaveAttribute("aria-invalid", "true");
  await section.getByLabel("Command prefix").fill("nice -n 5");
  await section.getByLabel("New variable").fill("TEAM_NAME");
  await section.getByLabel("Value", { exact: true }).fill("a-value-to-hide");
  await checkPage(page, "the settings of commands");
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section.getByText("TEAM_NAME")).toBeVisible();
  await reopen(page);
  await expect(section.getByLabel("Python in execute_code")).toBeChecked();
  expect(await page.content()).not.toContain("a-value-to-hide");
  expect(await api.admin.call(shellSettingsEndpoints.get, {})).toMatchObject({
    codeLanguages: ["shell", "python"],
    commandPrefix: "nice -n 5",
    variables: ["TEAM_NAME"],
  });
  await section.getByRole("button", { name: "Remove TEAM_NAME" }).click();
  await expect(section.getByText("TEAM_NAME")).toBeHidden();
  // Commands of later journeys have no prefix.
  await api.admin.call(shellSettingsEndpoints.update, { body: { codeLanguages: ["shell"], commandPrefix: "" } });
});
