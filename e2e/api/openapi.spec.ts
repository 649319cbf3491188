import { readFile } from "node:fs/promises";
import path from "node:path";
import { endpoints } from "@/contracts";
import type { Endpoint } from "@/contracts/endpoint";
import { expect, readProblem, test } from "../fixtures";

const all: Endpoint[] = Object.values(endpoints).flatMap((group): Endpoint[] => Object.values(group));

test("the document that is served is the one in the repository", async ({ api }) => {
  const response = await api.nobody.fetch("/api/v1/openapi.json");
  expect(response.headers.get("content-type")).toContain("application/json");
  const committed = await readFile(path.resolve(import.meta.dirname, "../../public/openapi.json"), "utf8");
  expect(await response.json()).toEqual(JSON.parse(committed));
});

test("a method that an address does not know is a problem document with the methods that it knows", async ({ api }) => {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  let asked = 0;
  for (const endpointPath of new Set(all.map((endpoint) => endpoint.path))) {
    const address = endpointPath.replace(/\{\w+\}/g, "1");
    const matches = (other: Endpoint) => new RegExp(`^${other.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(address);
    const known = new Set(all.filter(matches).map(({ method }): string => method));
    const unknown = methods.find((method) => !known.has(method));
    if (!unknown) continue;
    const response = await api.admin.fetch(address, { method: unknown });
    expect(response.status, `${unknown} ${address}`).toBe(405);
    expect(await readProblem(response)).toMatchObject({ code: "method_not_allowed" });
    expect(response.headers.get("allow")).toBe([...known].sort().join(", "));
    asked += 1;
  }
  expect(asked).toBeGreaterThan(20);
});

test("every answer tells browsers to be careful", async ({ api }) => {
  for (const address of ["/sign-in", "/docs/api", "/api/v1/me", "/api/v1/health/live", "/api/v1/nothing", "/openapi.json"]) {
    const { headers } = await api.nobody.fetch(address);
    expect(headers.get("x-content-type-options"), address).toContain("nosniff");
    expect(headers.get("x-frame-options"), address).toContain("DENY");
    expect(headers.get("referrer-policy"), address).toContain("same-origin");
    expect(headers.get("x-powered-by"), address).toBeNull();
    if (!address.endsWith(".json")) expect(headers.get("content-security-policy"), address).toContain("frame-ancestors 'none'");
  }
});

test("a page runs only the scripts that carry the nonce of this answer", async ({ api }) => {
  const nonceOf = async () => {
    const response = await api.nobody.fetch("/sign-in");
    const nonce = /script-src 'nonce-([\w-]+)'/.exec(response.headers.get("content-security-policy") ?? "")?.[1];
    const scripts = (await response.text()).match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((script) => !script.includes(`nonce="${nonce}"`))).toEqual([]);
    return nonce;
  };
  expect(await nonceOf()).not.toBe(await nonceOf());
});
