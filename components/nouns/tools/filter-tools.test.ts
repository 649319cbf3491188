import { expect, test } from "vitest";
import type { Tool } from "@/contracts/tools/tools";
import { distinctChoices, filterTools, toolSource } from "./filter-tools";
import { sumTokens } from "./sum-tokens";

const tool = (values: Partial<Tool>): Tool => ({
  id: "01890000-0000-7000-8000-000000000000",
  name: "read_file",
  title: "Read a file",
  description: "Return the text of one file.",
  source: "builtin",
  sourceRef: null,
  sourceName: null,
  family: "files",
  effect: "read",
  surface: "natural",
  surfaceReason: "",
  mode: "direct",
  concurrencySafe: true,
  idempotent: true,
  backgroundable: false,
  returnDirect: false,
  dangerous: false,
  requiredTrust: null,
  enabled: true,
  tier: "core",
  tierLocked: false,
  tierLockedReason: null,
  needs: ["files"],
  aliases: [],
  primaryArgument: "path",
  inputSchema: { type: "object" },
  schemaHash: "0",
  timeoutMs: 30_000,
  resultLimit: 8_000,
  overrides: { timeoutMs: null, resultLimit: null, description: null, effect: null, surface: null },
  quarantine: null,
  findings: [],
  availability: { status: "available", reason: null },
  tokens: { core: 100, extension: 10 },
  version: 1,
  updatedAt: "2026-01-01T00:00:00.000Z",
  ...values,
});

const readFile = tool({ aliases: ["ReadFileTool"] });
const shell = tool({ name: "shell_execute", title: "Run a command", family: "shell", enabled: false });
const upstream = tool({ name: "notes__search", title: "Search", source: "mcp", sourceName: "notes", family: "notes", tier: "extension" });
const all = [readFile, shell, upstream];
const everything = { query: "", source: null, family: null };

test("every word of a search must be somewhere in the tool, aliases included", () => {
  expect(filterTools(all, { ...everything, query: "  RUN  command " })).toEqual([shell]);
  expect(filterTools(all, { ...everything, query: "readfiletool" })).toEqual([readFile]);
  expect(filterTools(all, { ...everything, query: "run nothing" })).toEqual([]);
});

test("an MCP server is a source of its own", () => {
  expect(distinctChoices(all, toolSource)).toEqual(["builtin", "mcp:notes"]);
  expect(filterTools(all, { ...everything, source: "mcp:notes" })).toEqual([upstream]);
  expect(filterTools(all, { ...everything, family: "shell" })).toEqual([shell]);
});

test("tools that are switched off cost nothing", () => {
  expect(sumTokens([readFile, shell], "core")).toEqual({ now: 100, inOtherTier: 10 });
});
