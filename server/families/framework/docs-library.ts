import { readFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "@/server/platform/errors";

/** Handrail's own documents. The list is fixed, so that no name of a model becomes a path. */
export const documents: ReadonlyMap<string, string> = new Map([
  ["adding-a-tool", "How to write a builtin tool"],
  ["approvals", "How people decide calls"],
  ["architecture", "Rooms, life of a call, caches"],
  ["channels", "The message bus between agents"],
  ["conformance", "The MCP conformance suite and its results"],
  ["core-execute", "Tools behind an external pipeline"],
  ["delegation", "Agents that hand work to agents"],
  ["disclosure", "Which tools a model sees, and how it finds the others"],
  ["glossary", "Every word of the product"],
  ["guard", "How calls are decided"],
  ["hooks", "Stored actions before and after calls"],
  ["mcp", "MCP servers and MCP clients"],
  ["mcp-pins", "Accepted definitions of MCP tools"],
  ["media", "Images, video, music and 3D models"],
  ["models", "Providers of language models"],
  ["operating", "Settings, limits and running Handrail"],
  ["runs", "Agents that run with their own model"],
  ["schedules", "Prompts and reminders by the clock"],
  ["seeds", "Behaviours of other systems, and the tests that show them"],
  ["todos", "The list of a workspace, its contacts and recurring items"],
  ["tools", "Every builtin tool"],
  ["work-lists", "Plans, task lists, progress and goals"],
  ["workflows", "Agents one after another, at once, or in a loop"],
]);

/** @throws AppError `not_found` with the known names. */
export async function readDocument(asked: string): Promise<string> {
  const name = asked
    .trim()
    .replace(/^docs\//, "")
    .replace(/\.md$/, "");
  if (!documents.has(name)) {
    throw new AppError("not_found", `There is no document ${asked.slice(0, 100)}. The documents are ${[...documents.keys()].join(", ")}.`);
  }
  return readFile(path.join(/* turbopackIgnore: true */ process.cwd(), "docs", `${name}.md`), "utf8");
}
