import type { Page } from "@playwright/test";
import { agentEndpoints } from "@/contracts/agents/agents";
import { skillEndpoints } from "@/contracts/skills/skills";
import { zipOf } from "../document-files";
import { expect, test } from "../fixtures";
import { greeterPackage, poisonedPackage, publicRepository, type Texts } from "../skill-packages";
import { checkPage, open } from "./check-page";

const row = (page: Page, name: string) => page.getByRole("table", { name: "Skills" }).getByRole("row", { name: new RegExp(`^${name}\\b`) });

/** Opens the drawer of installation and shows what a zip holds. */
async function choose(page: Page, name: string, texts: Texts) {
  await page.getByRole("button", { name: "Install skill" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.locator("input[type=file]").setInputFiles({ name, mimeType: "application/zip", buffer: Buffer.from(zipOf(texts)) });
  await expect(drawer.getByRole("region", { name: "Found skills" })).toBeVisible();
  return drawer;
}

test("skills are installed, set up, edited, bound to an agent and removed; a poisoned one names its line", async ({
  consolePage: page,
  api,
}) => {
  await open(page, "/skills");
  await expect(row(page, "docx")).toContainText("Comes with Handrail");
  const repository = await choose(page, "skills-main.zip", publicRepository);
  await expect(repository.getByRole("article")).toHaveCount(3);
  await checkPage(page, "a package of skills");
  await repository.getByRole("button", { name: "Install 3 skills" }).click();
  await expect(row(page, "csv-report")).toContainText("Ready");

  const poisoned = await choose(page, "helper.zip", poisonedPackage);
  await expect(poisoned.getByText("SKILL.md, line 8", { exact: true })).toBeVisible();
  await poisoned.getByRole("button", { name: "Install", exact: true }).click();
  await expect(row(page, "helper")).toContainText("Blocked");

  const greeter = await choose(page, "greeter.zip", greeterPackage);
  await greeter.getByRole("button", { name: "Install", exact: true }).click();
  await expect(row(page, "greeter")).toContainText("Needs secrets");
  await checkPage(page, "the skills");

  await page.getByRole("combobox", { name: "State" }).click();
  await page.getByRole("option", { name: "Blocked" }).click();
  await expect(row(page, "greeter")).toHaveCount(0);
  await row(page, "helper").getByRole("link").click();
  const drawer = page.getByRole("dialog");
  await expect(drawer.getByText("SKILL.md, line 8: It tells the model to drop its instructions.")).toBeVisible();
  await expect(drawer.getByText("scripts/setup.sh, line 3").first()).toBeVisible();
  await page.keyboard.press("Escape");

  await open(page, "/skills?q=greeter");
  await row(page, "greeter").getByRole("link").click();
  await drawer.getByLabel("GREETER_TOKEN").fill("hush-hush-token");
  await drawer.getByRole("button", { name: "Save secret" }).click();
  await expect(drawer.getByText("Ready", { exact: true })).toBeVisible();
  await expect(drawer.getByText("skill_greeter_greet")).toBeVisible();
  await drawer.getByLabel(/^Lessons/).fill("- Greet by the first name.");
  await drawer.getByRole("button", { name: "Save lessons" }).click();
  // The next save names the version that this one makes.
  await expect(drawer.getByRole("button", { name: "Save lessons" })).toBeDisabled();
  await drawer.getByLabel("New file").fill("references/names.md");
  await drawer.getByRole("button", { name: "Add file" }).click();
  await drawer.getByRole("textbox", { name: "references/names.md" }).fill("Ann, Ben\n");
  await drawer.getByRole("button", { name: "Save file" }).click();
  const versions = drawer.getByRole("list", { name: "Versions of the skill, newest first" });
  await expect(versions.getByRole("listitem")).toHaveCount(3);
  await checkPage(page, "a skill");
  await versions.getByRole("button", { name: "Restore version 1" }).click();
  await expect(versions.getByText("Version 1 restored")).toBeVisible();
  await drawer.getByRole("button", { name: "Archive skill" }).click();
  await expect(drawer.getByText("It is archived: agents do not get it, and nothing of it is deleted.")).toBeVisible();
  await drawer.getByRole("button", { name: "Restore skill" }).click();
  await expect(drawer.getByText("Ready", { exact: true })).toBeVisible();
  const [stored] = (await api.admin.call(skillEndpoints.list, { query: { query: "greeter" } })).items;
  expect(await api.admin.call(skillEndpoints.get, { params: { id: stored?.id ?? "" } })).toMatchObject({
    lessons: "- Greet by the first name.",
    files: 2,
  });

  const agent = (await api.admin.call(agentEndpoints.list, {})).items.find(({ isDefault }) => isDefault);
  await open(page, `/agents/${agent?.id}?tab=skills`);
  await expect(page.getByText(/^None is bound, so the agent has all ready skills/)).toBeVisible();
  await page.getByRole("combobox", { name: "Bound skills" }).fill("brand");
  await page.getByRole("option", { name: "brand-voice" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save skills" }).click();
  await expect(page.getByText("The agent has 1 of the 1 bound skills, because only ready ones reach it, and no others.")).toBeVisible();
  await checkPage(page, "the skills of an agent");
  const ofAgent = await api.admin.call(skillEndpoints.list, { query: { agentId: agent?.id ?? "" } });
  expect(ofAgent.items.map(({ name }) => name)).toEqual(["brand-voice"]);

  await open(page, `/skills?skill=${stored?.id}`);
  await drawer.getByRole("button", { name: "Remove skill" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove skill" }).last().click();
  await expect(row(page, "greeter")).toHaveCount(0);

  await page.route("**/api/v1/skills?*", (route) => route.abort());
  await page.getByPlaceholder("Search skills").fill("anything");
  await expect(page.getByRole("button", { name: /Try again|Retry/ })).toBeVisible();
});
