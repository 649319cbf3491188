import { randomUUID } from "node:crypto";
import { agentEndpoints } from "@/contracts/agents/agents";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { expect, test } from "../fixtures";
import { checkPage, fits, open } from "./check-page";
import { submitTurn, submitTurnIn } from "./submit-requests";

test("the list of turns says what was called and how it ended, and is found by words, tool, agent and outcome", async ({
  consolePage: page,
  api,
}) => {
  const mark = randomUUID().slice(0, 8);
  const agent = await api.admin.call(agentEndpoints.create, { body: { name: `scout-${mark}` } });
  const runtime = await api.withKey("turns:write", "tools:read");
  const { id } = await runtime.call(conversationEndpoints.create, {
    body: { agent: agent.name, metadata: { title: `Report ${mark}` } },
  });
  await submitTurnIn(runtime, id, [
    { name: "read_file", arguments: { path: `missing-${mark}.txt` } },
    { name: "date_time", arguments: { timezone: "Asia/Tokyo" } },
  ]);
  await open(page, "/turns");
  const rows = page.getByRole("table", { name: "Turns" }).getByRole("row");
  const row = rows.filter({ hasText: `Report ${mark}` });
  await expect(row).toContainText(`read_file missing-${mark}.txt`);
  await expect(row).toContainText("date_time Asia/Tokyo");
  await expect(row).toContainText("1 failed of 2");
  await expect(row).not.toContainText("Completed");
  await fits(page, "the list of turns");

  const filter = page.getByRole("search", { name: "Filter turns" });
  await filter.getByLabel("Search").fill(`missing-${mark}`);
  await expect(page).toHaveURL(new RegExp(`query=missing-${mark}`));
  await expect(rows).toHaveCount(2);

  await open(page, `/turns?agent=${agent.name}&tool=read_file&outcome=failed`);
  await expect(rows).toHaveCount(2);
  await expect(filter.getByRole("combobox", { name: "Tool" })).toHaveValue("read_file");
  await filter.getByRole("combobox", { name: "Outcome" }).click();
  await page.getByRole("option", { name: "With denied calls" }).click();
  await expect(page.getByText("No matching turns")).toBeVisible();
  await checkPage(page, "an empty list of turns");

  await open(page, `/turns?agent=${agent.name}&from=${new Date(Date.now() - 3_600_000).toISOString()}`);
  await expect(rows).toHaveCount(2);
  await filter.getByRole("button", { name: /^Since / }).click();
  await expect(page).not.toHaveURL(/from=/);
});

test("a bar says that the chosen page is opening, until it is there", async ({ consolePage: page }) => {
  await open(page, "/tools");
  const ready = Promise.withResolvers<void>();
  await page.route("**/turns?*", async (route) => {
    await ready.promise;
    await route.continue();
  });
  const bar = page.getByRole("progressbar", { name: "Opening the page" });
  await expect(bar).toHaveCount(0);
  await page.getByRole("navigation").getByRole("link", { name: "Turns", exact: true }).click();
  await expect(bar).toBeVisible();
  ready.resolve();
  await expect(page.getByRole("heading", { name: "Turns", level: 1 })).toBeVisible();
  await expect(bar).toHaveCount(0);
});

test("the filters of a list are as wide as the list, and a period is never torn apart", async ({ consolePage: page, api }) => {
  await submitTurn(api.agent, [{ name: "date_time" }]);
  for (const [address, name] of [
    ["/turns", "Filter turns"],
    ["/audit", "Filter the audit"],
    ["/approvals?tab=history", "Filter the history"],
  ] as const) {
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await open(page, address);
      const bar = page.getByRole("search", { name });
      await expect(bar).toBeVisible();
      const lines = await bar.evaluate((element) => {
        const edges = element.getBoundingClientRect();
        const fields = [...element.children].map((child) => child.getBoundingClientRect()).filter(({ height }) => height > 0);
        const tops = Map.groupBy(fields, ({ top, height }) => Math.round(top + height / 2));
        return [...tops.values()].map((line) => ({ fields: line.length, gap: edges.right - Math.max(...line.map(({ right }) => right)) }));
      });
      for (const { gap } of lines) expect(Math.abs(gap), `${address} at ${width}`).toBeLessThan(2);
      if (width === 1_280) expect(lines.length, address).toBe(1);
      await fits(page, `${name} at ${width}`);
    }
  }
});
