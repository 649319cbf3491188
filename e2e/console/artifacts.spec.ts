import { randomUUID } from "node:crypto";
import { expect, test } from "../fixtures";
import { checkPage, open } from "./check-page";
import { submitTurn } from "./submit-requests";

test("a person finds a file of a call, and copies a link that downloads it once", async ({
  consolePage: page,
  api,
  productUrl,
  request,
}) => {
  const name = `report-${randomUUID().slice(0, 8)}.txt`;
  const turn = await submitTurn(api.agent, [
    { name: "write_file", arguments: { path: name, content: "Hello" } },
    { name: "enable_tool", arguments: { toolName: "send_file" } },
    { name: "tool_call", arguments: { name: "send_file", arguments: { path: name } } },
  ]);
  expect(turn.calls.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);

  await open(page, "/turns/artifacts");
  await page.getByLabel("Name of the artifact").fill(name);
  const rows = page.getByRole("list", { name: "Artifacts" }).getByRole("listitem");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(name);
  await checkPage(page, "the artifacts");

  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: productUrl });
  await rows.getByRole("button", { name: `Copy link to ${name}` }).click();
  await expect(page.getByText(`Whoever has it can download ${name} once`)).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const first = await request.get(link);
  expect(await first.text()).toBe("Hello");
  expect(first.headers()["content-disposition"]).toContain("attachment");
  const second = await request.get(link);
  expect(second.status()).toBe(404);
  expect(await second.text()).toContain("This link was used or has expired.");

  await page.getByLabel("Name of the artifact").fill(`${name}-other`);
  await expect(page.getByText("No matching artifacts")).toBeVisible();
});
