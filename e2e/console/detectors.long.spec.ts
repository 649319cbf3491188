import type { Page } from "@playwright/test";
import { guardEndpoints } from "@/contracts/guard/guard";
import { expect, test } from "../fixtures";
import { checkPage, fits, open, pageOfMember } from "./check-page";
import { submitTurn } from "./submit-requests";

const detector = (page: Page, id: string) => page.getByRole("listitem").filter({ has: page.getByText(id, { exact: true }) });

test.afterEach(({ api }) =>
  api.admin.call(guardEndpoints.updateConfig, { body: { detectors: {}, deniedTools: [], sensitivePaths: [], enabled: true } }),
);

test("a detector is relaxed and switched off in the list, by mouse and by keyboard, and what it finds follows", async ({
  consolePage: page,
  api,
}) => {
  const hidden = { name: "date_time", arguments: { timeZone: "Europe/Berlin\u202E" } };
  const evaluate = () => api.admin.call(guardEndpoints.evaluate, { body: { tool: hidden.name, arguments: hidden.arguments } });
  expect(await evaluate()).toMatchObject({ verdict: "require_approval", findings: [{ detector: "text.hidden" }] });

  await open(page, "/guard?tab=detectors");
  await expect(page.getByRole("heading", { name: "Databases" })).toBeVisible();
  await checkPage(page, "the detectors");
  await page.getByLabel("Find a detector").fill("hidden characters");
  const row = detector(page, "text.hidden");
  await expect(row).toContainText("Safer: Send the text without invisible characters");
  await expect(page.getByRole("heading", { name: "Databases" })).toHaveCount(0);

  await row.getByLabel("Verdict of Hidden characters").selectOption("Log only");
  await expect(row).toContainText("Changed");
  await expect.poll(async () => (await evaluate()).verdict).toBe("allow");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await evaluate()).verdict).toBe("require_approval");

  await row.getByRole("switch", { name: "Hidden characters is on" }).focus();
  await page.keyboard.press("Space");
  await expect(row.getByRole("switch", { name: "Hidden characters is off" })).toBeVisible();
  await expect.poll(async () => (await evaluate()).findings).toEqual([]);
  await fits(page, "a detector that is switched off");

  await page.getByLabel("Find a detector").fill("mcp.prototype");
  await expect(detector(page, "mcp.prototype").getByRole("switch")).toBeDisabled();

  await page.getByLabel("Find a detector").fill("stopping the machine");
  const floor = detector(page, "floor.power");
  await expect(floor).toContainText("Deny");
  await expect(floor.getByRole("button", { name: /^Locked: Hard floor/ })).toBeVisible();
  await expect(floor.getByRole("switch"), "nothing can be set").toHaveCount(0);
});

test("a denied tool is written down, denied and restored with its version", async ({ consolePage: page, api }) => {
  const before = await api.admin.call(guardEndpoints.getConfig);
  await open(page, "/guard?tab=detectors");
  const list = page.getByRole("combobox", { name: "Denied tools" });
  await list.fill("date_time");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Save denied tools" }).click();
  await expect.poll(async () => (await api.admin.call(guardEndpoints.getConfig)).deniedTools).toEqual(["date_time"]);
  const denied = await submitTurn(api.agent, [{ name: "date_time", arguments: {} }]);
  expect(denied.calls[0]).toMatchObject({ status: "denied", decision: { reason: "date_time is on the list of denied tools." } });

  const paths = page.getByLabel("Sensitive paths").first();
  await paths.fill("plans/**");
  await page.keyboard.press("Enter");
  await checkPage(page, "lists of the guard being edited");
  await page.getByRole("button", { name: "Save sensitive paths" }).click();
  await expect.poll(async () => (await api.admin.call(guardEndpoints.getConfig)).sensitivePaths).toEqual(["plans/**"]);
  const asked = await submitTurn(api.agent, [{ name: "read_file", arguments: { path: "plans/a.md" } }]);
  expect(asked.calls[0]).toMatchObject({ status: "awaiting_approval", decision: { findings: [{ detector: "file.sensitive" }] } });

  await page.getByRole("tab", { name: "Versions" }).click();
  await expect(page.getByText("Changed the sensitive paths: +plans/**").first()).toBeVisible();
  await page.getByRole("button", { name: `Restore version ${before.policyVersion}`, exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await expect.poll(async () => (await api.admin.call(guardEndpoints.getConfig)).deniedTools).toEqual([]);
  expect((await submitTurn(api.agent, [{ name: "date_time", arguments: {} }])).calls[0]?.status).toBe("succeeded");
});

test("an approver reads the detectors and cannot change them", async ({ browser, productUrl, api }) => {
  const page = await pageOfMember(browser, productUrl, api, "approver");
  await open(page, "/guard?tab=detectors");
  await expect(page.getByRole("switch", { name: "Hidden characters is on" })).toBeDisabled();
  await expect(page.getByLabel("Verdict of Hidden characters")).toBeDisabled();
  await expect(page.getByRole("button", { name: "Save denied tools" })).toBeDisabled();
  await page.context().close();
});
