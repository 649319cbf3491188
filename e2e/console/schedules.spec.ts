import { randomUUID } from "node:crypto";
import { agentEndpoints } from "@/contracts/agents/agents";
import { scheduleEndpoints } from "@/contracts/automation/schedules";
import { triggerEndpoints } from "@/contracts/automation/triggers";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { expect, test } from "../fixtures";
import { open, pageOfMember } from "./check-page";

test("a person adds a schedule, runs it now, pauses it and removes it", async ({ consolePage: page, api }) => {
  const name = `Report ${randomUUID().slice(0, 8)}`;
  await open(page, "/schedules?schedule=new");
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill(name);
  await form.getByRole("textbox", { name: "Text" }).fill("Summarise the day");
  await form.getByLabel("Cron expression").fill("0 9 * * L");
  await expect(form.getByRole("status")).toContainText("cannot be used");
  await form.getByLabel("Cron expression").fill("0 9 * * 1-5");
  await expect(form.getByRole("status")).toContainText("Next: ");
  await form.getByRole("button", { name: "Add schedule" }).click();

  await page.getByRole("table", { name: "Schedules" }).getByRole("link", { name }).click();
  const story = page.getByRole("dialog", { name });
  await expect(story.getByText("weekdays at 09:00")).toBeVisible();
  await story.getByRole("button", { name: "Run now" }).click();
  await expect(story.getByText("Started")).toBeVisible();
  await story.getByRole("switch").click({ force: true });
  await expect(story.getByText("none while it is paused")).toBeVisible();
  await story.getByRole("button", { name: "All its runs" }).click();
  await expect(page.getByRole("table", { name: "Runs" }).getByRole("link", { name: "Turns" })).toBeVisible();

  const { items } = await api.admin.call(scheduleEndpoints.listRuns, { query: {} });
  const run = items.find(({ schedule }) => schedule === name);
  const conversation = await api.admin.call(conversationEndpoints.get, { params: { id: run?.conversationId ?? "" } });
  expect(conversation).toMatchObject({ origin: "cron", metadata: { schedule: { text: "Summarise the day", trigger: "person" } } });

  await page.getByRole("table", { name: "Schedules" }).getByRole("link", { name }).click();
  await story.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove schedule" }).click();
  await expect(page.getByRole("link", { name })).toHaveCount(0);
});

test("Automations tell the times of schedules in words, and a viewer rotates no secret", async ({ browser, productUrl, api }) => {
  const name = `Hourly ${randomUUID().slice(0, 8)}`;
  const timing = { kind: "interval" as const, everySeconds: 3_600 };
  const schedule = await api.admin.call(scheduleEndpoints.create, {
    body: { name, action: "reminder", text: "Look", timing, timezone: "UTC" },
  });
  const [agent] = (await api.admin.call(agentEndpoints.list)).items;
  const trigger = await api.admin.call(triggerEndpoints.create, {
    body: { name: `Deployed ${name}`, kind: "webhook", agentId: agent?.id ?? "", template: "{body}" },
  });
  const page = await pageOfMember(browser, productUrl, api, "viewer");
  await open(page, `/automations?trigger=${trigger.id}`);
  await expect(page.getByRole("dialog").getByRole("button", { name: "Rotate secret" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("row").filter({ hasText: name }).first()).toContainText("every hour");
  await page.context().close();
  await api.admin.call(triggerEndpoints.remove, { params: { id: trigger.id } });
  await api.admin.call(scheduleEndpoints.remove, { params: { id: schedule.id } });
});
