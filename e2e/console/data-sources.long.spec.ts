import { readFile } from "node:fs/promises";
import path from "node:path";
import { dataSourceEndpoints } from "@/contracts/tools/data-sources";
import { expect, test } from "../fixtures";
import { productDatabase } from "../product-database";
import { checkPage, open } from "./check-page";

test("an admin adds a PostgreSQL database, tests it and reads a table with Try it", async ({ consolePage: page, api }) => {
  const dataDir = String(process.env.HANDRAIL_E2E_DATA_DIR);
  const own = await productDatabase(dataDir);
  await own.unsafe('create database "e2e shop"');
  await own.unsafe("create role e2e_reader login password 'e2e-reader-secret'");
  const port = (await readFile(path.join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[3] ?? "";

  await open(page, "/data-sources");
  await checkPage(page, "no data sources");
  await page.getByRole("button", { name: "Add data source" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel("Name").fill("shop");
  await drawer.getByLabel("Description").fill("Orders of the shop");
  await drawer.getByLabel("Host").fill("127.0.0.1");
  await drawer.getByLabel("Port").fill(port);
  await drawer.getByLabel("Database").fill("e2e shop");
  await drawer.getByLabel("User").fill("e2e_reader");
  await drawer.getByLabel("Password", { exact: true }).fill("not-the-password");
  await checkPage(page, "the form of a data source");
  await drawer.getByRole("button", { name: "Add data source" }).click();
  await expect(page.getByText("shop is saved")).toBeVisible();

  await drawer.getByRole("button", { name: "Test connection" }).click();
  await expect(drawer.getByRole("status")).toContainText("password authentication failed");
  await drawer.getByRole("button", { name: "Edit" }).click();
  await drawer.getByLabel("Password", { exact: true }).fill("e2e-reader-secret");
  await drawer.getByRole("button", { name: "Save" }).click();
  await drawer.getByRole("button", { name: "Test connection" }).click();
  await expect(drawer.getByRole("status")).toContainText("PostgreSQL");
  await checkPage(page, "the details of a data source");

  await drawer.getByRole("link", { name: "sql_query" }).click();
  await page.getByRole("textbox", { name: "dataSource" }).fill("shop");
  await page
    .getByRole("textbox", { name: "sql" })
    .fill("select 'row ' || n as name, sum(n) as n from generate_series(1, 3) as n group by n order by n");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByRole("region", { name: "Result", exact: true })).toContainText("| row 2 | 2 |");
  await expect(page.getByRole("figure", { name: "Chart of sql_query" }).getByRole("application")).toBeVisible();
  await page.getByRole("figure", { name: "Chart of sql_query" }).scrollIntoViewIfNeeded();
  await checkPage(page, "a result with a chart");

  const [source] = (await api.admin.call(dataSourceEndpoints.list)).items;
  expect(source).toMatchObject({ name: "shop", hasPassword: true, version: 2 });
  if (source) await api.admin.call(dataSourceEndpoints.remove, { params: { id: source.id } });
  await own.unsafe('drop database "e2e shop" with (force)');
  await own.unsafe("drop role e2e_reader");
  await own.end();
});
