import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { guardEndpoints } from "@/contracts/guard/guard";
import { toolEndpoints } from "@/contracts/tools/tools";
import { expect, test } from "../fixtures";
import { checkPage, open } from "./check-page";

test("an admin keeps a credential, imports an operation, writes a tool by hand and tries it", async ({ consolePage: page, api }) => {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${request.headers.authorization ?? "nobody"}`);
    response.setHeader("content-type", "application/json").end('{"sky":"clear"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { allowedHosts } = await api.admin.call(guardEndpoints.getConfig, {});
  await api.admin.call(guardEndpoints.updateConfig, { body: { allowedHosts: [...allowedHosts, host] } });

  await open(page, "/settings");
  await page.getByRole("button", { name: "Add auth profile" }).click();
  const profile = page.getByRole("dialog");
  await profile.getByLabel("Name").fill("Weather key");
  await profile.getByLabel("Origin", { exact: true }).fill(`http://${host}`);
  await profile.getByLabel("Secret", { exact: true }).fill("e2e-weather-secret");
  await profile.getByRole("button", { name: "Add auth profile" }).click();
  await expect(page.getByText("Weather key is saved")).toBeVisible();

  await open(page, "/tools");
  await page.getByRole("button", { name: "Add tool" }).click();
  await page.getByRole("menuitem", { name: "Import OpenAPI" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel("Or the document").fill(
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Sky", version: "1" },
      servers: [{ url: `http://${host}/v1` }],
      paths: { "/sky/{place}": { get: { operationId: "getSky", summary: "The sky of a place" }, delete: { operationId: "dropSky" } } },
    }),
  );
  await drawer.getByRole("button", { name: "Read document" }).click();
  await expect(drawer.getByLabel("Base URL")).toHaveValue(`http://${host}/v1`);
  await drawer.getByRole("checkbox", { name: "GET /sky/{place}" }).click();
  await checkPage(page, "the operations of a document");
  await drawer.getByRole("button", { name: "Add 1 tool" }).click();
  await expect(page.getByText("1 tools added, 0 replaced")).toBeVisible();
  expect((await api.admin.call(toolEndpoints.get, { params: { id: "sky_get_sky" } })).sourceName).toBe("sky");

  await open(page, "/tools?add=http");
  await drawer.getByLabel("Name", { exact: true }).fill("get_weather");
  await drawer.getByLabel("Description", { exact: true }).fill("Weather of a city");
  await drawer.getByLabel("URL").fill(`http://${host}/weather/{city}`);
  await drawer.getByRole("combobox", { name: "Auth profile" }).click();
  await page.getByRole("option", { name: "Weather key" }).click();
  await checkPage(page, "the form of an HTTP tool");
  await drawer.getByText("Core", { exact: true }).click();
  await drawer.getByRole("button", { name: "Add tool" }).click();
  await expect(page).toHaveURL(/tool=get_weather/);
  await expect(drawer.getByText(`GET http://${host}/weather/{city}`)).toBeVisible();

  await drawer.getByRole("tab", { name: "Try it" }).click();
  await page.getByRole("textbox", { name: "city" }).fill("Den Haag");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByRole("region", { name: "Result", exact: true })).toContainText('{"sky":"clear"}');
  expect(heard).toEqual(["GET /weather/Den%20Haag Bearer e2e-weather-secret"]);
  for (const id of ["get_weather", "sky_get_sky"]) await api.admin.fetch(`/api/v1/tools/${id}`, { method: "DELETE" });
  await api.admin.call(guardEndpoints.updateConfig, { body: { allowedHosts } });
  server.closeAllConnections();
  server.close();
});
