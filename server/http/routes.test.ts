import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { endpoints } from "@/contracts";
import type { Endpoint } from "@/contracts/endpoint";

const root = path.resolve(import.meta.dirname, "../..");
const groups: Record<string, Record<string, Endpoint>> = endpoints;
const all = Object.values(groups).flatMap((group) => Object.values(group));

type Route = { method: string; address: string; endpoint: Endpoint | undefined; source: string };

/** Every exported route, such as `export const PUT = route(toolEndpoints.update, ...)`, with the address of its folder. */
const routes: Route[] = globSync("app/api/v1/**/route.ts", { cwd: root }).flatMap((file) => {
  const address = `/${path.dirname(file)}`.replace(/^\/app/, "").replace(/\[(\w+)\]/g, "{$1}");
  const text = readFileSync(path.join(root, file), "utf8");
  return text.split(/^export const /m).flatMap((source) => {
    const [, method, noun, name] = /^(\w+) = route\(\s*(\w+)Endpoints\.(\w+)/.exec(source) ?? [];
    const group = noun && (groups[noun] ?? groups[`${noun}s`]);
    return method && name ? [{ method, address, endpoint: group ? group[name] : undefined, source }] : [];
  });
});

test("every endpoint of the contracts is served, once, at its own address and method", () => {
  const served = routes.map(({ method, address }) => `${method} ${address}`).sort();
  expect(served).toEqual(all.map(({ method, path }) => `${method} ${path}`).sort());
  for (const { method, address, endpoint } of routes) {
    expect(`${endpoint?.method} ${endpoint?.path}`, "the contract of the route").toBe(`${method} ${address}`);
  }
});

test("a route reads exactly the headers that its contract names", () => {
  const readers = { "If-Match": "versionMatched(", "Idempotency-Key": "readIdempotencyKey(", "Last-Event-ID": "last-event-id" };
  for (const { method, address, endpoint, source } of routes) {
    const read = Object.entries(readers).flatMap(([header, reader]) => (source.includes(reader) ? [header] : []));
    expect([...(endpoint?.headers ?? [])].sort(), `${method} ${address}`).toEqual(read.sort());
  }
});
