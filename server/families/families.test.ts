import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { builtinToolNames, capabilityNames } from "@/contracts/generated-tools";
import { ToolName, toolEffects, toolTiers } from "@/contracts/tools/tools";
import { type CallScope, createCapabilities, defineCapability } from "@/server/capabilities/define-capability";
import { builtinTools, capabilities } from "@/server/testing/builtin-tools";
import { families } from ".";
import { collectFamilies } from "./collect-families";
import { familyVariables } from "./environment";

const tools = builtinTools.map((tool) => [tool.name, tool] as const);
const JsonSchema = z.object({
  type: z.literal("object"),
  properties: z.record(z.string(), z.object({}).loose()).default({}),
  required: z.array(z.string()).default([]),
});

test("docs, contracts and registry have the same tools and capabilities, because all are generated from the families", () => {
  expect(builtinToolNames).toEqual(builtinTools.map(({ name }) => name));
  expect(capabilityNames).toEqual(capabilities.map(({ name }) => name));
  expect(builtinTools.length).toBeGreaterThanOrEqual(15);
});

test("the start checks every variable that a family declares", () => {
  const declared = collectFamilies(families).environment;
  expect(declared.length).toBeGreaterThan(0);
  expect(familyVariables.map(({ name }) => name).sort()).toEqual(declared.map(({ name }) => name).sort());
  const [twice] = families.filter(({ environment }) => environment);
  expect(() =>
    collectFamilies([
      { name: "one", environment: twice?.environment },
      { name: "two", environment: twice?.environment },
    ]),
  ).toThrow("Two families bring the variable");
});

test("every family has the name of its folder", () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(families.map(({ name }) => name).sort()).toEqual(folders.map(({ name }) => name).sort());
});

test("a call creates the capabilities that its tool needs, and no others", () => {
  const untouched = new Proxy({} as CallScope, {
    get: (_scope, field) => {
      throw new Error(`${String(field)} was asked for`);
    },
  });
  const scope = Object.assign(Object.create(untouched), { conversationId: "c", privateHosts: () => [], approvedHosts: () => [] });
  const needed = (name: string) => builtinTools.find((tool) => tool.name === name)?.capabilities ?? [];
  expect(createCapabilities(needed("date_time"), scope)).toEqual({});
  expect(
    Object.keys(
      createCapabilities(
        capabilities.filter(({ name }) => name === "http"),
        scope,
      ),
    ),
  ).toEqual(["http"]);
  expect(() => createCapabilities(needed("url_fetch"), scope)).toThrow("was asked for");
});

test("a tool is refused that needs a capability which no family lists", () => {
  const other = defineCapability({ name: "other", title: "Other", isOfConversation: false, create: () => ({}) });
  const [tool] = builtinTools;
  if (!tool) throw new Error("There is no builtin tool");
  const family = { name: "probe", tools: [{ ...tool, capabilities: [other] }], capabilities: [] };
  expect(() => collectFamilies([family])).toThrow("needs the capability other, which no family lists");
  expect(() => collectFamilies([{ ...family, tools: [tool, tool] }])).toThrow(`Two families bring the tool ${tool.name}`);
});

test("two families with one source of tools are refused, because the later would replace the earlier", () => {
  const toolSource = { source: "channel" as const, load: async () => new Map() };
  const families = ["one", "other"].map((name) => ({ name, toolSource }));
  expect(() => collectFamilies(families)).toThrow("Two families bring the tool source channel");
});

test.each(tools)("%s is fit to show a model", (name, tool) => {
  expect(ToolName.safeParse(name).success).toBe(true);
  expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
  expect(tool.description.length).toBeGreaterThan(20);
  expect(tool.description.length).toBeLessThan(400);
  expect(tool.title.length).toBeGreaterThan(3);
  const { properties, required } = JsonSchema.parse(tool.inputSchema);
  for (const parameter of required) expect(properties).toHaveProperty(parameter);
  for (const [parameter, schema] of Object.entries(properties)) {
    expect(parameter).toMatch(/^[a-z][A-Za-z]*$/);
    expect(schema.description, `${name}.${parameter} has no description`).toEqual(expect.any(String));
  }
  // The schema must be the same every time, because a change would invalidate prompt caches.
  expect(JSON.stringify(tool.inputSchema)).not.toContain("$schema");
});

test.each(tools)("%s says what it is and what it touches", (_name, tool) => {
  expect(tool.source).toBe("builtin");
  expect(tool.family).toMatch(/^[a-z-]+$/);
  expect(toolEffects).toContain(tool.effect);
  expect(toolTiers).toContain(tool.defaultTier);
  for (const need of tool.needs) expect(capabilityNames).toContain(need);
  if (tool.primaryArgument) expect(JsonSchema.parse(tool.inputSchema).properties).toHaveProperty(tool.primaryArgument);
  expect(tool.timeoutMs).toBeGreaterThanOrEqual(1_000);
  // A tool that hands work to another agent waits for a run with limits of its own, and a repeated call finds that run.
  const handsOn = tool.needs.includes("delegation");
  // A stateful tool may wait for a person, so its time limit is longer.
  expect(tool.timeoutMs).toBeLessThanOrEqual(
    handsOn || tool.needs.includes("acp") ? 3_600_000 : tool.mode === "stateful" ? 1_860_000 : 310_000,
  );
  // Recovery must never repeat a tool that changes something, unless the tool stores what it began.
  if (tool.effect !== "read" && !handsOn) expect(tool.idempotent).toBe(tool.resumes === true);
});

test.each(tools)("%s refuses arguments that do not fit, with a sentence", (name, tool) => {
  const { required } = JsonSchema.parse(tool.inputSchema);
  const answer = tool.parse({});
  if (required.length === 0) {
    // Which arguments a tool needs may depend on its mode.
    expect(answer.ok ? name : answer.message).toContain(name);
  } else {
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining(`missing required param: ${required[0]}`) });
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining(name) });
  }
});

test.each(tools)("%s refuses an argument that it does not have, by its name", (name, tool) => {
  const answer = tool.parse({ pty_mode: true });
  expect(answer).toMatchObject({ ok: false, message: expect.stringContaining("unknown argument `pty_mode`") });
  expect(answer).toMatchObject({ ok: false, message: expect.stringContaining(name) });
});
