import { expect, test } from "vitest";
import { agentToolName } from "./agent-tools";
import { askForSchema, readAnswer, readOutputSchema } from "./output-schema";

const schema = { type: "array", items: { $ref: "#/$defs/n" }, $defs: { n: { type: "integer" } } };

test("an answer is read as JSON of any root, bare or as the last fenced block", () => {
  expect(readAnswer(schema, "[1, 2]")).toEqual({ ok: true, value: [1, 2] });
  expect(readAnswer(schema, "Here it is:\n```json\n[3]\n```")).toEqual({ ok: true, value: [3] });
  expect(readAnswer(schema, '["x"]')).toMatchObject({ ok: false });
  expect(readAnswer(schema, "three")).toEqual({ ok: false, problem: "the answer is no JSON" });
});

test("a schema comes as an object or as text, and one that cannot be used is refused with the reason", () => {
  expect(readOutputSchema('{"type":"string"}')).toEqual({ ok: true, schema: { type: "string" } });
  expect(readOutputSchema("[1]")).toEqual({ ok: false, message: "output_schema must be a JSON Schema, an object." });
  expect(readOutputSchema({ type: "nonsense" })).toMatchObject({ ok: false, message: expect.stringContaining("cannot be used") });
  expect(askForSchema({ type: "string" })).toContain('{"type":"string"}');
});

test("the name of an agent's tool never looks like that of an MCP tool, and fits", () => {
  expect(agentToolName("a__b")).toBe("agent_a_b");
  expect(agentToolName("x".repeat(64))).toHaveLength(64);
});
