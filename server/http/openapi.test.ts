import { expect, test } from "vitest";
import { z } from "zod";
import { endpoints } from "@/contracts";
import type { Endpoint } from "@/contracts/endpoint";
import { openApiDocument } from "./openapi";

const Operation = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string().min(3),
  security: z.array(z.unknown()).optional(),
  parameters: z.array(z.looseObject({ in: z.string(), name: z.string(), required: z.boolean().optional() })).optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), z.unknown()) }).optional(),
  responses: z.record(z.string(), z.unknown()),
});
type Operation = z.infer<typeof Operation>;

const document = openApiDocument();
const all: Endpoint[] = Object.values(endpoints).flatMap((group) => Object.values<Endpoint>(group));
const operationOf = (endpoint: Endpoint): Operation =>
  Operation.parse((document.paths?.[endpoint.path] as Record<string, unknown> | undefined)?.[endpoint.method.toLowerCase()]);

test("the document describes every endpoint of the contracts and nothing else", () => {
  const described = Object.values(document.paths ?? {}).flatMap((item) => Object.keys(item));
  expect(all.length).toBeGreaterThan(50);
  expect(described).toHaveLength(all.length);
  const ids = all.map((endpoint) => operationOf(endpoint).operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(all.map((endpoint) => ({ endpoint, title: `${endpoint.method} ${endpoint.path}` })))(
  "$title is described whole",
  ({ endpoint }) => {
    const { parameters = [], requestBody, responses, security } = operationOf(endpoint);
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)).toEqual(inPath);
    for (const parameter of parameters) if (parameter.in === "path") expect(parameter.required).toBe(true);
    expect(parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name)).toEqual([...(endpoint.headers ?? [])]);
    expect(Boolean(requestBody)).toBe(Boolean(endpoint.body ?? endpoint.requestType));
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([String(endpoint.status ?? 200), "401", "500"]));
    expect(security).toEqual(endpoint.permission ? undefined : []);
  },
);

test("every reference leads somewhere, and no schema was left over or given a made-up name", () => {
  const text = JSON.stringify(document);
  const referred = new Set([...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].map(([, kind, name]) => `${kind}/${name}`));
  const there = Object.entries({ schemas: document.components?.schemas, responses: document.components?.responses }).flatMap(
    ([kind, parts]) => Object.keys(parts ?? {}).map((name) => `${kind}/${name}`),
  );
  expect([...referred].sort()).toEqual(there.sort());
  expect(text).not.toMatch(/__schema|Output"/);
});

test("the same contracts give the same bytes", () => {
  expect(JSON.stringify(openApiDocument())).toBe(JSON.stringify(document));
});

test("a refusal names the codes of its status", () => {
  expect(document.components?.responses?.Conflict).toMatchObject({
    "x-codes": ["conflict", "already_decided", "tier_locked", "idempotency_mismatch"],
  });
  expect(document.components?.responses?.Internal).toMatchObject({ "x-codes": ["internal"] });
});

test("only endpoints that limit their callers answer 429", () => {
  const limited = all.filter((endpoint) => "429" in operationOf(endpoint).responses).map(({ method, path }) => `${method} ${path}`);
  expect(limited.sort()).toEqual([
    "POST /agent-hooks/{client}",
    "POST /api/v1/agents/{id}/runs",
    "POST /api/v1/auth/token",
    "POST /api/v1/conversations",
    "POST /api/v1/conversations/{id}/turns",
    "POST /api/v1/guarded-calls",
    "POST /api/v1/turns/{id}/calls/{callId}/app/calls",
    "POST /messengers/{id}/visits",
    "POST /messengers/{id}/visits/files/{partId}",
    "PUT /api/v1/me/password",
  ]);
});
