import { expect, test } from "vitest";
import { z } from "zod";
import { capabilityNames, ToolName, toolEffects, toolTiers } from "@/contracts/tools";
import { builtinTools } from ".";

const tools = builtinTools.map((tool) => [tool.name, tool] as const);
const JsonSchema = z.object({
  type: z.literal("object"),
  properties: z.record(z.string(), z.object({}).loose()).default({}),
  required: z.array(z.string()).default([]),
});

test("there are exactly these builtin tools, by name", () => {
  expect(builtinTools.map(({ name }) => name)).toEqual([
    "ask_user",
    "core_execute",
    "date_time",
    "edit_file",
    "enable_tool",
    "jobs",
    "read_file",
    "read_job",
    "search_files",
    "shell_execute",
    "stop_task",
    "url_fetch",
    "wait",
    "write_file",
  ]);
});

test.each(tools)("%s is fit to show a model", (name, tool) => {
  expect(ToolName.safeParse(name).success).toBe(true);
  expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(tool.description.length).toBeGreaterThan(20);
  expect(tool.description.length).toBeLessThan(400);
  expect(tool.title.length).toBeGreaterThan(3);
  const { properties, required } = JsonSchema.parse(tool.inputSchema);
  for (const parameter of required) expect(properties).toHaveProperty(parameter);
  for (const parameter of Object.keys(properties)) expect(parameter).toMatch(/^[a-z][A-Za-z]*$/);
  // The same every time, or prompt caches are lost.
  expect(JSON.stringify(tool.inputSchema)).not.toContain("$schema");
});

test.each(tools)("%s says what it is and what it touches", (_name, tool) => {
  expect(tool.source).toBe("builtin");
  expect(["files", "shell", "web", "time", "framework", "jobs"]).toContain(tool.family);
  expect(toolEffects).toContain(tool.effect);
  expect(toolTiers).toContain(tool.defaultTier);
  for (const need of tool.needs) expect(capabilityNames).toContain(need);
  if (tool.primaryArgument) expect(JsonSchema.parse(tool.inputSchema).properties).toHaveProperty(tool.primaryArgument);
  expect(tool.timeoutMs).toBeGreaterThanOrEqual(1_000);
  // A tool that waits for a person waits as long as a person takes.
  expect(tool.timeoutMs).toBeLessThanOrEqual(tool.mode === "stateful" ? 1_860_000 : 310_000);
  // What changes something is never started twice by recovery.
  if (tool.effect !== "read") expect(tool.idempotent).toBe(false);
});

test.each(tools)("%s refuses arguments that do not fit, with a sentence", (name, tool) => {
  const { required } = JsonSchema.parse(tool.inputSchema);
  const answer = tool.parse({});
  if (required.length === 0) {
    expect(answer.ok).toBe(true);
  } else {
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining(`missing required param: ${required[0]}`) });
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining(name) });
  }
});

test("no two tools answer to the same name", () => {
  const names = builtinTools.flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
});
