import { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { type Callers, expect, test } from "../fixtures";
import { checkPage, open } from "./check-page";

/** Sorts behind the servers of other journeys, which read the first page of the list. */
const prefix = "zz-many-";
const count = 200;
const alias = (number: number) => `${prefix}${String(number).padStart(3, "0")}`;
/** Servers that are on and whose program does not exist. */
const broken = [57, 158];

async function removeAll(api: Callers) {
  for (let isLeft = true; isLeft; ) {
    const { items } = await api.admin.call(mcpServerEndpoints.list, { query: { limit: 200, query: prefix } });
    for (const { id } of items) await api.admin.call(mcpServerEndpoints.remove, { params: { id } });
    isLeft = items.length > 0;
  }
}

test.beforeAll(async ({ api }) => {
  const servers = Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const settings = broken.includes(number)
      ? { command: `no-such-program-${number}` }
      : { url: `https://service-${number}.example/mcp`, disabled: true };
    return [alias(number), settings] as const;
  });
  const config = JSON.stringify({ mcpServers: Object.fromEntries(servers) });
  const { servers: added } = await api.admin.call(mcpServerEndpoints.importConfig, { body: { config } });
  expect(added.filter(({ status }) => status === "added")).toHaveLength(count);
});
test.afterAll(({ api }) => removeAll(api));

test("among 200 servers a person finds one by its name, its address and its status, and opens it", async ({ consolePage: page }) => {
  await open(page, "/mcp-servers");
  const search = page.getByRole("searchbox", { name: "Search MCP servers" });
  const rows = page.getByRole("main").getByRole("listitem").filter({ hasText: prefix });
  await search.fill(prefix);
  await expect(rows, "a hundred rows are drawn at a time").toHaveCount(100);
  await expect(page.getByRole("link", { name: alias(1), exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Show 100 more of 100" }).click();
  await expect(rows).toHaveCount(count);
  await expect(page.getByRole("link", { name: alias(count), exact: true })).toBeAttached();

  await search.fill(`${prefix} service-137.`);
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/query=/);
  await expect(rows).toContainText(alias(137));
  await checkPage(page, "a search among 200 servers");

  await search.fill(prefix);
  await page.getByRole("combobox", { name: "Status" }).selectOption("Error");
  await expect(rows).toHaveCount(broken.length, { timeout: 60_000 });
  for (const number of broken) await expect(rows.filter({ hasText: alias(number) })).toContainText(`no-such-program-${number}`);

  await search.fill("zz-nothing-like-it");
  await page.getByRole("button", { name: "Show all servers" }).click();
  await expect(search).toHaveValue("");
  await search.fill(alias(200));
  await page.getByRole("link", { name: alias(200), exact: true }).click();
  await expect(page.getByRole("dialog").getByText("https://service-200.example")).toBeVisible();
});

test("a filtered list is kept in the address, so that a colleague sees the same servers", async ({ consolePage: page }) => {
  await open(page, `/mcp-servers?query=${prefix}&status=error`);
  const rows = page.getByRole("main").getByRole("listitem").filter({ hasText: prefix });
  await expect(rows).toHaveCount(broken.length, { timeout: 60_000 });
  await expect(page.getByRole("searchbox", { name: "Search MCP servers" })).toHaveValue(prefix);
});
