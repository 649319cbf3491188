import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { askBefore, type Callers, expect, test } from "../fixtures";
import { checkPage, fits, open } from "./check-page";
import { requestWrite, submitTurn } from "./submit-requests";

askBefore("write_file");

/** Answers what earlier journeys have left waiting: the overview shows the three that end first. */
async function answerAll({ approver }: Callers) {
  const { items } = await approver.call(approvalEndpoints.list, { query: { status: "pending", limit: 200 } });
  const decisions = items.map(({ id }) => ({ id, decision: "reject" as const }));
  if (decisions.length > 0) await approver.call(approvalEndpoints.decideMany, { body: { decisions } });
}

test("the overview says what waits, how calls ended and that the guard is on, and leads there", async ({ consolePage: page, api }) => {
  await answerAll(api);
  await submitTurn(api.agent, [{ name: "date_time" }]);
  const path = `overview-${randomUUID().slice(0, 8)}.txt`;
  await requestWrite(api.agent, path);
  await open(page, "/");
  const tile = (name: string) =>
    page
      .getByRole("main")
      .locator("section")
      .filter({ has: page.getByRole("link", { name }) });
  await expect(tile("Approvals")).toContainText(/\d+ pending/);
  await expect(tile("Approvals"), "the primary argument, as in the inbox").toContainText(path);
  await expect(tile("Approvals")).toContainText("write_file");
  await expect(tile("Calls, last 24 hours")).toContainText("Succeeded");
  await expect(tile("Guard")).toContainText(/Default: allow (reads|sandboxed calls), ask for the rest/);
  await expect(page.getByText(/^Sandbox (on|off)\. \S/)).toBeVisible();
  await fits(page, "the overview");
  await tile("Approvals").getByRole("link").click();
  await expect(page).toHaveURL(/\/approvals$/);
});

test("charts and counts lead to the list with the filter set", async ({ consolePage: page, api }) => {
  const missing = `missing_${randomUUID().slice(0, 8)}`;
  await submitTurn(api.agent, [{ name: missing }, { name: missing }]);
  await open(page, "/?range=1h");
  await expect(page.getByRole("radio", { name: "1 h" })).toBeChecked();
  await expect(page.locator(".recharts-bar").first()).toBeVisible();
  const troubles = page.getByRole("region", { name: "Failed and denied" });
  await expect(troubles).toContainText("failed");
  const legend = page.getByRole("region", { name: "Calls over time" });
  const swatches = await legend
    .locator("[data-outcome]")
    .evaluateAll((all) => all.map((swatch) => getComputedStyle(swatch).backgroundColor));
  const bars = await legend
    .locator(".recharts-bar")
    .evaluateAll((all) => all.map((bar) => getComputedStyle(bar.querySelector("path, rect") ?? bar).fill));
  expect(new Set(swatches).size, "one colour for each outcome").toBe(swatches.length);
  expect(bars, "the bars have the colours of the legend").toEqual(swatches);
  const ticks = await legend
    .locator(".recharts-xAxis .recharts-cartesian-axis-tick text")
    .evaluateAll((all) => all.map((tick) => Number(tick.getAttribute("x"))));
  const steps = ticks.slice(1).map((place, index) => place - (ticks[index] ?? 0));
  expect(Math.max(...steps) - Math.min(...steps), "even ticks").toBeLessThan(1);
  await legend.getByRole("link", { name: /Failed/ }).click();
  await expect(page).toHaveURL(/\/turns\?from=.*outcome=failed/);
  await expect(page.getByRole("table", { name: "Turns" }).getByRole("row").nth(1)).toContainText(missing);
  await expect(page.getByRole("table", { name: "Turns" }).getByRole("row").nth(1)).toContainText("2 failed of 2");

  await open(page, "/?range=1h");
  await page.getByRole("region", { name: "Most called tools" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/\/turns\?from=.*tool=/);

  // The column on the right is of the minutes just now, which may begin while the page opens.
  await expect(async () => {
    await submitTurn(api.agent, [{ name: missing }]);
    await open(page, "/?range=1h");
    await clickLastColumn(page);
    await expect(page).toHaveURL(/\/turns\?from=.*&to=/);
    await expect(page.getByRole("table", { name: "Turns" }).getByRole("row").nth(1)).toBeVisible();
  }).toPass();
});

test("the overview polls counts, not rows", async ({ consolePage: page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await open(page, "/");
  await page.getByText("7 d", { exact: true }).click();
  await expect(page).toHaveURL(/range=7d/);
  await expect(page.getByRole("link", { name: "Calls, last 7 days" })).toBeVisible();
  expect(asked).toContain("/api/v1/overview");
  expect(asked).not.toContain("/api/v1/audit");
});

test("a call is made, rejected and approved on the overview, and its code to connect is accessible", async ({ consolePage: page, api }) => {
  // Without a server one step is open, whatever earlier journeys of this workspace have done.
  for (const { id } of (await api.admin.call(mcpServerEndpoints.list)).items) {
    await api.admin.call(mcpServerEndpoints.remove, { params: { id } });
  }
  await open(page, "/");
  const steps = page.getByRole("region", { name: "First steps" });
  const tryIt = steps.getByRole("button", { name: "Try it" });
  const makeCall = steps.getByRole("button", { name: "Make a call" });
  // Once a call was made in the workspace, the step is folded behind "Try it".
  await expect(tryIt.or(makeCall).first()).toBeVisible();
  if (await tryIt.isVisible()) await tryIt.click();
  await makeCall.click();
  await expect(steps.getByRole("button", { name: "Approve" })).toBeVisible();
  await checkPage(page, "a first call that needs approval");
  await steps.getByRole("button", { name: "Reject" }).click();
  await expect(steps.getByText("Not approved. The model was told, and the turn resumed.")).toBeVisible();
  await steps.getByRole("button", { name: "Make another call" }).click();
  await steps.getByRole("button", { name: "Approve" }).click();
  await expect(steps.getByText("Approved. The turn resumed.")).toBeVisible();
  await fits(page, "a first call that was approved");
  await steps.getByRole("button", { name: "Show code" }).click();
  for (const library of ["AI SDK", "LangChain", "Python", "curl", "OpenAI SDK"])
    await steps.getByRole("tab", { name: library, exact: true }).click();
  await expect(steps.getByRole("group", { name: "agent.mjs" })).toContainText("Bearer hr_...");
  await checkPage(page, "code to connect an agent");
});

test("an address without a page says so beside the navigation", async ({ consolePage: page }) => {
  const response = await page.goto("/no/such/page");
  expect(response?.status()).toBe(404);
  await expect(page.getByText("No page at this address")).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Tools" }).click();
  await expect(page).toHaveURL(/\/tools$/);
});

async function clickLastColumn(page: Page): Promise<void> {
  await expect(page.locator(".recharts-bar").first()).toBeVisible();
  const chart = await page.locator(".recharts-wrapper").boundingBox();
  if (!chart) throw new Error("The chart is not drawn");
  const [x, y] = [chart.x + chart.width - 24, chart.y + chart.height / 2];
  await page.mouse.move(x - 40, y);
  await page.mouse.move(x, y);
  await expect(page.locator(".recharts-tooltip-cursor")).toBeVisible();
  await page.mouse.click(x, y);
}
