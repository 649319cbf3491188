import { randomUUID } from "node:crypto";
import { expect, test } from "../fixtures";
import { askToWrite, submitTurn } from "./ask-for";
import { lookClosely, open } from "./look-closely";

test("the overview says what waits, how calls ended and that the guard is on, and leads there", async ({ consolePage: page, api }) => {
  await submitTurn(api.agent, [{ name: "date_time" }]);
  await askToWrite(api.agent, `overview-${randomUUID().slice(0, 8)}.txt`);
  await open(page, "/");
  const tile = (name: string) =>
    page
      .getByRole("main")
      .locator("section")
      .filter({ has: page.getByRole("link", { name }) });
  await expect(tile("Approvals")).toContainText(/\d+ calls? waits?/);
  await expect(tile("Approvals")).toContainText("write_file");
  await expect(tile("Calls, last 24 hours")).toContainText("Succeeded");
  await expect(tile("Guard")).toContainText("reads pass, the rest asks");
  await lookClosely(page, "the overview");

  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByRole("listitem").filter({ hasText: "Submit a turn" }).getByRole("img", { name: "Done" })).toBeVisible();
  await expect(steps.getByRole("group", { name: "Paste this into a shell" })).toContainText(
    `${new URL(page.url()).origin}/api/v1/conversations`,
  );
  await tile("Approvals").getByRole("link").click();
  await expect(page).toHaveURL(/\/approvals$/);
});
