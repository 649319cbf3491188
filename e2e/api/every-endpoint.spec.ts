import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Endpoint } from "@/contracts/endpoint";
import { endpoints } from "@/contracts/index";
import { type Permission, permissions, withImplied } from "@/contracts/permissions";
import { buildPath, type Caller, caller } from "../caller";
import { type Callers, expect, readProblem, test } from "../fixtures";

const all: Endpoint[] = Object.values(endpoints).flatMap((group): Endpoint[] => Object.values(group));
const closed = all.flatMap((endpoint) => (endpoint.permission ? [{ endpoint, permission: endpoint.permission }] : []));
const withBody = all.filter(({ body }) => body);
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

const twoMebibytes = 2 * 1_048_576;

/** Parameters that are no ids. */
const placeholders: Record<string, string | number> = {
  version: 999_999,
  number: 999_999,
  event: "before_llm",
  client: "codex",
  name: "NOWHERE",
};

/** An address of the endpoint that leads to nothing that exists. */
function addressOf({ path }: Endpoint): string {
  const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, placeholders[name] ?? randomUUID()]));
  return buildPath(path, { params });
}

/** A scope that does not include the permission. */
function scopeWithout(permission: Permission): Permission {
  const found = permissions.find((scope) => !withImplied([scope]).has(permission));
  if (!found) throw new Error(`Every scope includes ${permission}`);
  return found;
}

/** Keys of this worker by their scope, because many endpoints ask for the same permission. */
const keys = new Map<Permission, Promise<Caller>>();

/** A key with every right that its scope gives, and not the permission. */
function keyWithout(permission: Permission, api: Callers): Promise<Caller> {
  const scope = scopeWithout(permission);
  const key = keys.get(scope) ?? api.withKey(scope);
  keys.set(scope, key);
  return key;
}

/** Returns true when a request without query words is refused. */
const needsQuery = ({ query }: Endpoint): boolean => query?.safeParse({}).success === false;

test("the contracts have endpoints of every kind to walk through", () => {
  expect(all.length).toBeGreaterThan(40);
  expect(closed.length).toBeGreaterThan(40);
  expect(withBody.length).toBeGreaterThan(15);
});

for (const { endpoint, permission } of closed) {
  test(`${nameOf(endpoint)} answers only who may ask`, async ({ api, productUrl }) => {
    const address = addressOf(endpoint);
    const { method } = endpoint;

    const withoutToken = await api.nobody.fetch(address, { method });
    expect(withoutToken.status).toBe(401);
    expect(withoutToken.headers.get("www-authenticate")).toContain("Bearer");
    expect(await readProblem(withoutToken)).toMatchObject({ code: "unauthenticated" });

    for (const token of ["nonsense", `hr_${"a".repeat(43)}`, "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9."]) {
      const withWrongToken = await caller(productUrl, token).fetch(address, { method });
      expect(withWrongToken.status, token).toBe(401);
      await readProblem(withWrongToken);
    }

    const withoutScope = await (await keyWithout(permission, api)).fetch(address, { method });
    expect(withoutScope.status).toBe(403);
    expect(await readProblem(withoutScope)).toMatchObject({ code: "forbidden", detail: expect.stringContaining(permission) });
  });
}

for (const endpoint of withBody) {
  test(`${nameOf(endpoint)} refuses a body that it cannot take`, async ({ api }) => {
    const send = (body: BodyInit, headers: Record<string, string> = {}) =>
      api.admin.fetch(addressOf(endpoint), { method: endpoint.method, body, headers: { "content-type": "application/json", ...headers } });
    const refusal = async (body: BodyInit, status: number) => {
      const response = await send(body);
      expect(response.status, typeof body === "string" ? body.slice(0, 80) : "bytes").toBe(status);
      return readProblem(response);
    };

    expect(await refusal('{"name": ', 400)).toMatchObject({ code: "malformed" });
    expect(await refusal("", 400)).toMatchObject({ code: "malformed" });
    expect(await refusal(new Uint8Array([0x22, 0xff, 0xfe, 0x22]), 400)).toMatchObject({ code: "malformed" });
    for (const wrong of ["null", "[]", "7", '"text"']) expect(await refusal(wrong, 422)).toMatchObject({ code: "invalid" });

    const unknownField = await refusal('{"unexpectedField": true}', 422);
    expect(unknownField).toMatchObject({ code: "invalid" });
    expect(unknownField.errors?.map(({ message }) => message).join(" ")).toContain("unexpectedField");

    const large = Math.max(twoMebibytes, (endpoint.maxBodyBytes ?? 0) + 1);
    expect(await refusal(`"${"a".repeat(large)}"`, 413)).toMatchObject({ code: "too_large" });
  });
}

test("a body without a length is cut off where it becomes too large", async ({ api }) => {
  // Far more than sockets hold on the way, and than a server reads on after its refusal.
  const whole = 64 * 1_048_576;
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536;
      if (sent > whole) controller.close();
      else controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
  });
  const init: RequestInit & { duplex: "half" } = { method: "POST", body: endless, duplex: "half" };
  const response = await api.admin.fetch("/api/v1/agents", init);
  expect(response.status).toBe(413);
  await readProblem(response);
  expect(sent).toBeLessThan(whole);
});

for (const endpoint of all.filter(({ path }) => path.includes("{id}"))) {
  test(`${nameOf(endpoint)} says that there is nothing under a wrong id`, async ({ api }) => {
    for (const id of ["not-an-id", "1", "%00", "..%2F..", randomUUID().slice(1)]) {
      const response = await api.admin.fetch(endpoint.path.replace("{id}", id), {
        method: endpoint.method,
        ...(endpoint.body ? { body: "{}", headers: { "content-type": "application/json" } } : {}),
      });
      // With a wrong id and another fault in the request, either may be said first.
      expect(endpoint.body || needsQuery(endpoint) ? [400, 404, 422] : [404], `${id}: ${response.status}`).toContain(response.status);
      await readProblem(response);
    }
  });
}

for (const endpoint of all) {
  test(`${nameOf(endpoint)} refuses an unknown query word by name`, async ({ api }) => {
    const response = await api.admin.fetch(`${addressOf(endpoint)}?noSuchWord=1`, { method: endpoint.method, redirect: "manual" });
    if (endpoint.queryIsForeign) {
      expect(response.status).not.toBe(422);
      return;
    }
    expect(response.status).toBe(422);
    const { code, detail, errors } = await readProblem(response);
    expect(code).toBe("invalid");
    expect(errors?.map(({ path }) => path)).toEqual(["noSuchWord"]);
    for (const word of Object.keys(endpoint.query?.shape ?? {})) expect(detail).toContain(word);
  });
}

test("a filter by a word of another endpoint is refused instead of answering everything", async ({ api }) => {
  for (const [address, word, instead] of [
    ["/api/v1/calls?conversationId=x", "conversationId", "agentId"],
    ["/api/v1/audit?decision=deny", "decision", "verdict"],
  ] as const) {
    const response = await api.admin.fetch(address);
    expect(response.status).toBe(422);
    expect((await readProblem(response)).detail).toMatch(new RegExp(`${word}: unknown query word.*\\b${instead}\\b`));
  }
});

/** The query words that an endpoint cannot do without; each is the id of something. */
const neededQuery = ({ query }: Endpoint): string =>
  Object.entries(query?.shape ?? {})
    .filter(([, schema]) => !(schema as z.ZodType).safeParse(undefined).success)
    .map(([name]) => `&${name}=00000000-0000-7000-8000-000000000000`)
    .join("");

for (const endpoint of all.filter(({ query, method }) => query?.shape.limit && method === "GET")) {
  test(`${nameOf(endpoint)} refuses pages that cannot be`, async ({ api }) => {
    const path = addressOf(endpoint);
    const needed = neededQuery(endpoint);
    for (const query of ["limit=0", "limit=201", "limit=many", "limit=1.5", "limit=-1"]) {
      const response = await api.admin.fetch(`${path}?${query}${needed}`);
      expect(response.status, query).toBe(422);
      expect(await readProblem(response)).toMatchObject({ errors: [{ path: "limit" }] });
    }
    const twice = await api.admin.fetch(`${path}?limit=1&limit=2`);
    expect(twice.status).toBe(400);
    await readProblem(twice);
    if (!path.includes("999999") && !endpoint.params && needed === "") {
      const forged = await api.admin.fetch(`${path}?cursor=${Buffer.from('["%",{}]').toString("base64url")}`);
      expect(forged.status).toBe(422);
      await readProblem(forged);
    }
  });
}

test("an address that nobody serves is a problem document like every other refusal", async ({ api }) => {
  for (const path of ["/api/v1/nothing", "/api/v1", "/api/v1/agents/x/y/z"]) {
    const response = await api.admin.fetch(path);
    expect(response.status, path).toBe(404);
    expect(await readProblem(response)).toMatchObject({ code: "not_found" });
  }
});

test("the caller's request id comes back, and one that could break a log does not", async ({ api }) => {
  const given = await api.viewer.fetch("/api/v1/agents", { headers: { "x-request-id": "trace-42" } });
  expect(given.headers.get("x-request-id")).toBe("trace-42");
  const forged = await api.viewer.fetch("/api/v1/agents", { headers: { "x-request-id": 'a"b {c}' } });
  expect(forged.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
});

test("answers are not kept by any cache", async ({ api }) => {
  const answer = await api.viewer.fetch("/api/v1/agents");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const refusal = await api.nobody.fetch("/api/v1/agents");
  expect(refusal.headers.get("cache-control")).toBe("no-store");
});
