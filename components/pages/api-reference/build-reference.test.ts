import { describe, expect, test } from "vitest";
import { endpoints } from "@/contracts";
import type { Endpoint } from "@/contracts/endpoint";
import document from "@/public/openapi.json";
import { buildReference } from "./build-reference";
import { describeShape } from "./describe-shape";
import type { EndpointReference } from "./reference";

const reference = buildReference(document, "http://localhost:3000");
const shown = reference.nouns.flatMap((noun) => noun.endpoints);
const all = Object.values(endpoints).flatMap((group) => Object.values<Endpoint>(group));

function find(id: string): EndpointReference {
  const found = shown.find((endpoint) => endpoint.id === id);
  if (!found) throw new Error(`${id} is not shown`);
  return found;
}

test("every endpoint is shown once, under its noun, with its permission", () => {
  expect(shown).toHaveLength(all.length);
  expect(new Set(shown.map(({ id }) => id)).size).toBe(all.length);
  expect(reference.nouns.every((noun) => noun.endpoints.length > 0)).toBe(true);
  expect(find("turns_submit")).toMatchObject({ method: "POST", permission: "turns:write", path: "/api/v1/conversations/{id}/turns" });
});

const withBody = all.flatMap((endpoint) =>
  endpoint.body ? [{ endpoint, body: endpoint.body, title: `${endpoint.method} ${endpoint.path}` }] : [],
);

test.each(withBody)("the command shown for $title sends a body that its contract accepts", ({ endpoint, body }) => {
  const { curl } = shown.find(({ method, path }) => method === endpoint.method && path === endpoint.path) ?? { curl: "" };
  const sent = /-d '(.*)'$/s.exec(curl)?.[1]?.replaceAll("'\\''", "'");
  expect(body.safeParse(JSON.parse(sent ?? "")).error?.issues).toBeUndefined();
});

test("the command is ready to paste into a shell", () => {
  expect(find("turns_submit").curl).toBe(
    `curl -X POST "http://localhost:3000/api/v1/conversations/$ID/turns" \\
  -H "Authorization: Bearer $HANDRAIL_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"calls":[{"id":"call_1","name":"date_time","arguments":{"timezone":"Europe/Berlin"}}]}'`,
  );
  expect(find("health_live").curl).toBe('curl "http://localhost:3000/api/v1/health/live"');
  expect(find("turns_events").curl).toContain("curl -N ");
  expect(find("audit_export").curl).toContain("/audit/export?format=csv");
});

test("refusals come with their codes, and answers with the schema they carry", () => {
  const submit = find("turns_submit");
  expect(submit.answers.map(({ status, shape }) => [status, shape.refers?.name])).toEqual([
    ["200", "Turn"],
    ["202", "Turn"],
  ]);
  expect(submit.refusals.find(({ status }) => status === "409")?.codes).toContain("idempotency_mismatch");
  const named = new Set(reference.schemas.map(({ id }) => id));
  const referred = [...JSON.stringify(reference).matchAll(/"refers":\{"id":"([^"]+)"/g)].map(([, id]) => id ?? "");
  expect(referred.length).toBeGreaterThan(50);
  expect(referred.filter((id) => !named.has(id))).toEqual([]);
});

describe("a schema in words", () => {
  test("keeps what is said about it, inside or around an alternative to null", () => {
    expect(describeShape({ anyOf: [{ type: "string" }, { type: "null" }], description: "outside" }).description).toBe("outside");
    expect(describeShape({ anyOf: [{ type: "string", description: "inside" }, { type: "null" }] }).description).toBe("inside");
  });

  test.each([
    [{ type: "string", format: "uuid" }, "id (UUID)", []],
    [{ type: "string", minLength: 1, maxLength: 2000 }, "text", ["1 to 2,000 characters"]],
    [{ type: "integer", minimum: 1, maximum: 200, default: 50 }, "whole number", ["1 to 200", "default 50"]],
    [{ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 }, "whole number", []],
    [{ type: "array", items: { type: "string" }, minItems: 1 }, "list of: text", ["at least 1 items"]],
    [{ anyOf: [{ type: "string" }, { type: "null" }], default: null }, "text", ["or null", "default null"]],
    [{ type: "object", additionalProperties: { $ref: "#/components/schemas/Json" } }, "JSON object", []],
    [{ type: "object", additionalProperties: { type: "string" } }, "map of names to: text", []],
    [{ enum: ["a", "b"] }, "one of", []],
    [{}, "any JSON value", []],
  ])("%j", (schema, kind, limits) => {
    expect(describeShape(schema)).toMatchObject({ kind, limits });
  });
});
