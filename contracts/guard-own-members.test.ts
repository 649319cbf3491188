import { expect, test } from "vitest";
import { guardEndpoints } from "./guard";
import { hookEndpoints } from "./hooks";
import { policyEndpoints } from "./policy";

const wrong = (schema: { safeParse: (value: unknown) => { error?: { issues: readonly { path: PropertyKey[] }[] } } }, json: string) =>
  schema.safeParse(JSON.parse(json)).error?.issues.map(({ path }) => path.join("."));
const hook = (action: string) => `{"name":"a","event":"before_tool","action":${action}}`;

test.each([
  ["settings of detectors", guardEndpoints.updateConfig.body, '{"detectors":{"__proto__":{"enabled":false}}}', "detectors.__proto__"],
  ["a call to evaluate", guardEndpoints.evaluate.body, '{"tool":"a","arguments":{"b":[{"__proto__":1}]}}', "arguments.b.0.__proto__"],
  [
    "imported rules",
    policyEndpoints.importRules.body,
    '{"schema":"handrail.guard.v1","rules":[{"name":"a","__proto__":{"verdict":"deny"}}]}',
    "rules.0.__proto__",
  ],
  ["a value of a hook", hookEndpoints.create.body, hook('{"type":"set","pointer":"/a","value":{"__proto__":1}}'), "action.value.__proto__"],
  ["a schema of a hook", hookEndpoints.create.body, hook('{"type":"validate","schema":{"__proto__":{}}}'), "action.schema.__proto__"],
  [
    "an example of a hook",
    hookEndpoints.tryOut.body,
    `{"hook":${hook('{"type":"deny","reason":"no"}')},"example":{"value":{"__proto__":1}}}`,
    "example.value.__proto__",
  ],
])("a member called __proto__ is refused in %s, with its place", (_where, schema, json, path) => {
  expect(wrong(schema, json)).toEqual([path]);
});

test.each([
  [guardEndpoints.updateConfig.body, '{"detectors":{"constructor":{"enabled":false}}}'],
  [guardEndpoints.updateConfig.body, '{"detectors":{}}'],
  [hookEndpoints.create.body, hook('{"type":"set","pointer":"/a","value":"__proto__"}')],
])("what only looks like it is taken", (schema, json) => {
  expect(wrong(schema, json)).toBeUndefined();
});

test.each([
  '{"__proto__":1}',
  '{"name":"a","tool":"*","verdict":"deny","__proto__":1}',
  '{"name":"a","tool":"*","verdict":"deny","context":{"__proto__":1}}',
  '{"name":"a","tool":"*","verdict":"deny","comparisons":[{"parameter":"a","operator":"exists","__proto__":1}]}',
])("a rule refuses what it does not know, __proto__ as well: %s", (json) => {
  expect(guardEndpoints.createRule.body.safeParse(JSON.parse(json)).success).toBe(false);
});
