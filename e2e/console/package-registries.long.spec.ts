import { shellSettingsEndpoints } from "@/contracts/tools/shell";
import { expect, test } from "../fixtures";
import { checkPage, open, reopen } from "./check-page";

test("an admin gives the sandbox a registry of packages, and takes it back", async ({ consolePage: page, api }) => {
  await open(page, "/settings");
  const section = page.locator("section", { has: page.getByRole("heading", { name: "Package registries", exact: true }) });
  await section.getByLabel("npm registry").fill("npm.example.com");
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section.getByText("must be an address such as https://packages.example.com/npm/")).toBeVisible();
  await section.getByLabel("npm registry").fill("https://npm.example.com/repository/npm/");
  await expect(section.getByPlaceholder("None for this origin")).toBeVisible();
  await checkPage(page, "the package registries");
  const commands = page.locator("section", { has: page.getByRole("heading", { name: "Commands", exact: true }) });
  await commands.getByLabel("Command prefix").fill("nice -n 5");
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section.getByRole("button", { name: "Save" })).toBeHidden();
  // What is typed into the other form of the same settings stays.
  await expect(commands.getByLabel("Command prefix")).toHaveValue("nice -n 5");
  await commands.getByRole("button", { name: "Discard" }).click();
  await reopen(page);
  await expect(section.getByLabel("npm registry")).toHaveValue("https://npm.example.com/repository/npm/");
  await section.getByLabel("npm registry").fill("");
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section.getByRole("button", { name: "Save" })).toBeHidden();
  expect(await api.admin.call(shellSettingsEndpoints.get, {})).toMatchObject({ registries: { npm: null, pypi: null } });
});
