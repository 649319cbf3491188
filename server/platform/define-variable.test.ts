import { afterEach, expect, test, vi } from "vitest";
import { defineVariable, offUnlessTrue } from "./define-variable";
import { parseEnv } from "./env";
import { forgetProcess } from "./process-wide";

const probe = defineVariable({ name: "HANDRAIL_PROBE", schema: offUnlessTrue, fallback: "`false`", meaning: "a probe" });

afterEach(() => {
  vi.unstubAllEnvs();
  forgetProcess();
});

test.each([
  ["true", true],
  ["false", false],
  ["", false],
  [undefined, false],
])("a switch that is set to %s reads as %s", (text, value) => {
  vi.stubEnv("HANDRAIL_PROBE", text);
  expect(probe.value()).toBe(value);
});

test("a variable keeps the value that it had when it was first read", () => {
  vi.stubEnv("HANDRAIL_PROBE", "true");
  expect(probe.value()).toBe(true);
  vi.stubEnv("HANDRAIL_PROBE", "false");
  expect(probe.value()).toBe(true);
});

test("a wrong text is refused with the name of the variable, and without the text", () => {
  vi.stubEnv("HANDRAIL_PROBE", "hunter2");
  expect(() => probe.value()).toThrow(/^HANDRAIL_PROBE must be true or false$/);
});

test("the start refuses wrong variables of families in one sentence with its own", () => {
  const parse = () => parseEnv({ PORT: "x", HANDRAIL_PROBE: "yes" }, [probe]);
  expect(parse).toThrow(/^PORT must be .*; HANDRAIL_PROBE must be true or false$/);
  expect(() => parseEnv({ HANDRAIL_PROBE: "" }, [probe])).not.toThrow();
});

test("a family cannot declare a variable of the core", () => {
  expect(() => parseEnv({}, [{ ...probe, name: "PORT" }])).toThrow("Both the core and a family declare the variable PORT");
});
