import { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { expect, test } from "../fixtures";
import { checkPage, open } from "./check-page";

test("the doctor says what is in order, and leads to what is not", async ({ consolePage: page, api }) => {
  const body = { alias: "absent", transport: "stdio" as const, command: "no-such-program" };
  const server = await api.admin.call(mcpServerEndpoints.create, { body });
  await open(page, "/doctor");
  const checks = page.getByRole("list", { name: "Checks" });
  const checkNamed = (name: string) => checks.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
  await expect(checkNamed("Database")).toContainText("OK");
  await expect(checkNamed("Sandbox")).toContainText("Commands run in a bubblewrap sandbox");
  await expect(async () => {
    await page.getByRole("button", { name: "Check again" }).click();
    await expect(checks.getByRole("listitem").first()).toContainText("MCP server absent");
  }).toPass();
  await expect(checks.getByRole("listitem").first()).toContainText("Failed");
  await checkPage(page, "the doctor");
  await page.getByRole("link", { name: "Open absent" }).click();
  await expect(page).toHaveURL(new RegExp(`/mcp-servers\\?server=${server.id}`));
  await expect(page.getByRole("dialog")).toContainText("absent");
});
