import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { open } from "../console/check-page";
import { adminEmail, adminPassword, startProduct } from "../product";

test("a new workspace: sign in, make a call, approve it, and connect an agent", async ({ page }) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "handrail-newcomer-"));
  const product = await startProduct({ dataDir, name: "newcomer" });
  try {
    await expect
      .poll(() => product.printed().trimEnd().split("\n").at(-1))
      .toBe(`Handrail is ready after ${/after (\S+) s/.exec(product.printed())?.[1]} s. Open ${product.url}`);
    await page.goto(product.url);
    await expect(page.getByText("The control plane between AI agents and their tools.")).toBeVisible();
    await page.getByLabel("Email").fill(adminEmail);
    await page.getByRole("textbox", { name: "Password" }).fill(adminPassword);
    await page.getByRole("button", { name: "Sign in" }).click();

    // Two clicks.
    await page.getByRole("button", { name: "Make a call" }).click();
    await page.getByRole("button", { name: "Approve" }).click();

    const calls = page.getByRole("list", { name: "Calls of the turn" }).getByRole("listitem");
    await expect(calls).toHaveCount(3);
    for (const place of [0, 1, 2]) await expect(calls.nth(place)).toContainText("Succeeded");
    await expect(calls.nth(2).getByRole("group", { name: "Result sent to the model" })).toContainText("Checked before each commit");
    await expect(page.getByText("Approved. The turn resumed.")).toBeVisible();
    const steps = page.getByRole("region", { name: "First steps" });
    const step = (title: string) => steps.getByRole("listitem").filter({ has: page.getByText(title, { exact: true }) });
    await expect(step("Make a call and approve it").getByRole("img", { name: "Done" })).toBeVisible();
    await expect(step("Connect your agent").getByRole("img", { name: "To do" })).toBeVisible();

    await step("Connect your agent").getByRole("button", { name: "Show code" }).click();
    await steps.getByRole("button", { name: "Create a key" }).click();
    await expect(steps.getByRole("group", { name: "agent.mjs" })).toContainText(/Bearer hr_[A-Za-z0-9_-]{20,}/);
    await steps.getByRole("tab", { name: "curl" }).click();
    await expect(steps.getByRole("group", { name: "Shell" })).toContainText(`API=${product.url}/api/v1`);

    // Somebody comes back: the step that is done stays done.
    await open(page, `${product.url}/`);
    await expect(step("Make a call and approve it").getByRole("img", { name: "Done" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Calls over time" })).toBeVisible();
  } finally {
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
