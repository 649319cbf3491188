import { randomUUID } from "node:crypto";
import { conversationEndpoints } from "@/contracts/conversations";
import { expect, test } from "../fixtures";
import { endOf, submitTurnIn } from "./ask-for";
import { lookClosely, open } from "./look-closely";

test("a person always allows a call from its card, sees it in the list with its use, and takes it back", async ({
  consolePage: page,
  api,
}) => {
  const path = `grants-${randomUUID().slice(0, 8)}.txt`;
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const calls = [{ name: "write_file", arguments: { path, content: "written" } }];
  const turn = await submitTurnIn(api.agent, id, calls);
  await open(page, "/approvals");
  const card = page.getByRole("article").filter({ hasText: path });
  await card.getByRole("button", { name: "Always allow this" }).click();
  await card.getByRole("combobox", { name: "From now on" }).click();
  await page.getByRole("option", { name: "Allow: in this conversation" }).click();
  await lookClosely(page, "a call being allowed in advance");
  const poll = endOf(api.agent, turn.id);
  await card.getByRole("button", { name: "Approve and allow" }).click();
  expect((await poll).status).toBe("completed");

  expect((await submitTurnIn(api.agent, id, calls)).calls[0]?.status).toBe("succeeded");
  await open(page, "/approvals?tab=grants");
  const grant = page.getByRole("list", { name: "Grants" }).getByRole("listitem").filter({ hasText: path });
  await expect(grant).toContainText("One conversation");
  await expect(grant).toContainText("Used once");
  await lookClosely(page, "the list of grants");
  await grant.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(grant).toBeHidden();
  expect((await submitTurnIn(api.agent, id, calls)).status).toBe("suspended");
});

test("a tool is put behind core_execute and taken back in its story", async ({ consolePage: page }) => {
  await open(page, "/tools?tool=date_time");
  const surface = page.getByRole("combobox", { name: "Surface" });
  await surface.click();
  await page.getByRole("option", { name: "Escalate: only through core_execute" }).click();
  await expect(page.getByText("An admin decided so.")).toBeVisible();
  await surface.click();
  await page.getByRole("option", { name: "As its name and its source say" }).click();
  await expect(page.getByText("An admin decided so.")).toBeHidden();
});
