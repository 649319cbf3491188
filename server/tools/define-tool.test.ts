import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineCapability } from "@/server/capabilities/define-capability";
import { defineTool } from "./define-tool";

const lookUp = defineTool({
  name: "look_up",
  title: "Look up",
  description: "Looks something up.",
  family: "probe",
  tier: "core",
  effect: "read",
  needs: [],
  names: {
    aliases: ["grep"],
    parameterAliases: { filePath: "path", file: "path", pattern: "query" },
    aliasDefaults: { grep: { regex: true } },
  },
  running: { backgroundable: true },
  input: z.object({
    query: z.string(),
    path: z.string().default("."),
    mode: z.enum(["text", "count"]).default("text"),
    regex: z.boolean().default(false),
  }),
  execute: async () => "found",
});

const refusal = (args: Parameters<typeof lookUp.parse>[0]) => {
  const parsed = lookUp.parse(args);
  return parsed.ok ? null : parsed.message;
};

test("a tool that uses a capability that it does not need does not compile", () => {
  const files = defineCapability({ name: "files", title: "Files", isOfConversation: true, create: () => ({ list: () => ["a"] }) });
  const common = { title: "List", description: "Lists.", family: "probe", tier: "core", effect: "read", input: z.object({}) } as const;
  const needing = defineTool({ ...common, name: "needing", needs: [files], execute: async (_nothing, { files }) => files.list() });
  expect(needing).toMatchObject({ needs: ["files"], capabilities: [files] });
  // @ts-expect-error shell is not among its needs
  defineTool({ ...common, name: "taking", needs: [files], execute: async (_nothing, { shell }) => String(shell) });
  // @ts-expect-error it needs nothing
  defineTool({ ...common, name: "wanting", needs: [], execute: async (_nothing, { files }) => String(files) });
});

describe("arguments of a builtin tool", () => {
  test("that it does not have are refused by name, with the one that was meant and all that it takes", () => {
    expect(refusal({ query: "x", output_mode: "count" })).toBe(
      "The arguments of look_up do not fit its schema: unknown argument `output_mode`; did you mean `mode`? look_up takes query, path, mode, regex, runInBackground. Send the call again with these corrected.",
    );
    expect(refusal({ query: "x", pty: true })).toContain("unknown argument `pty`. look_up takes query");
    expect(refusal({ query: "x", background: true })).toContain("did you mean `runInBackground`?");
  });

  test("are told with the others that do not fit", () => {
    const sentence = refusal({ filepath: "a" });
    expect(sentence).toContain("missing required param: query");
    expect(sentence).toContain("unknown argument `filepath`; did you mean `path`?");
  });

  test("have their declared other names, each once", () => {
    expect(lookUp.parse({ pattern: "x", filePath: "a" })).toMatchObject({ ok: true, value: { query: "x", path: "a" } });
    expect(lookUp.parse({ query: "x", path: "a", filePath: "a" })).toMatchObject({ ok: true, value: { path: "a" } });
    expect(refusal({ query: "x", file: "a", filePath: "b" })).toContain("path was sent more than once");
    expect(refusal({ query: "x", path: "a", filePath: "b" })).toContain("path was sent more than once");
  });

  test("have the defaults of the alias that the call was made by", () => {
    expect(lookUp.parse({ query: "x" }, "look_up")).toMatchObject({ ok: true, value: { regex: false } });
    expect(lookUp.parse({ query: "x" }, "Grep")).toMatchObject({ ok: true, value: { regex: true } });
    expect(lookUp.parse({ query: "x", regex: false }, "grep")).toMatchObject({ ok: true, value: { regex: false } });
  });
});
