import { z } from "zod";
import { memoryEntryTypes } from "@/contracts/memory/memory";
import { noEffects } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { memory } from "../memory-capability";
import { memoryEffects, requireOwn } from "./file-tools";

const family = "memory";
const agentId = z.string().trim().max(100).optional().describe("This agent's id; leave it out");
const type = z.enum(memoryEntryTypes, { error: ({ input }) => (input === undefined ? "missing required param: type" : undefined) });
const key = z.string().trim().min(1, "needs a name").max(100, "at most 100 characters");
const content = z.string().trim().min(1, "needs a text").max(4_000, "at most 4,000 characters");

/** One bullet a line, so that a content cannot make headings of its own. */
const bullet = (text: string): string => `- ${text.replace(/\s*\n\s*/g, " ")}\n`;
const appended = (before: string | null, heading: string, line: string): string =>
  before === null || before.trim() === "" ? `# ${heading}\n\n${line}` : `${before.trimEnd()}\n${line}`;

export const remember = defineTool({
  name: "remember",
  title: "Remember",
  description: "Adds a sentence to what you remember about this person, in MEMORY.md. It stands in the prompt of later conversations.",
  family,
  tier: "extension",
  effect: "write",
  needs: [memory],
  primaryArgument: "content",
  input: z.object({
    agentId,
    content: content.describe("What to remember"),
    source: z.string().trim().max(200).optional().describe("Where it comes from"),
  }),
  approval: memoryEffects,
  async execute({ agentId, content, source }, { memory }) {
    await requireOwn(memory, agentId);
    const line = bullet(source ? `${content} (${source})` : content);
    const { file } = await memory.write("MEMORY.md", "PERSONAL", (before) => appended(before, "Memory", line), true);
    return { success: true, file: file.filename, message: "Remembered." };
  },
});

export const rememberStructured = defineTool({
  name: "remember_structured",
  title: "Remember by type and key",
  description: "Remembers a short fact about this person under a type and key; the same key replaces the earlier fact.",
  family,
  tier: "extension",
  effect: "write",
  needs: [memory],
  primaryArgument: "key",
  input: z.object({
    agentId,
    type: type.describe("What it is about"),
    key: key.describe("A short name, such as language"),
    content: content.describe("The fact"),
  }),
  approval: memoryEffects,
  async execute({ agentId, type, key, content }, { memory }) {
    await requireOwn(memory, agentId);
    await memory.remember({ type, key, content });
    return { success: true, type, key, message: `Remembered ${type}/${key}.` };
  },
});

export const recallStructured = defineTool({
  name: "recall_structured",
  title: "Recall by type or words",
  description: "Lists remembered facts, newest first; with a keyword the fitting ones, best first.",
  family,
  tier: "extension",
  effect: "read",
  needs: [memory],
  approval: noEffects,
  primaryArgument: "keyword",
  input: z.object({
    agentId,
    type: type.optional().describe("Only this type"),
    keyword: z.string().trim().max(200).optional().describe("Words of the fact"),
  }),
  async execute({ agentId, type, keyword }, { memory }) {
    const own = await requireOwn(memory, agentId);
    const entries = (await memory.entries({ type, keyword })).map(({ type, key, content, updatedAt }) => ({
      type,
      key,
      content,
      updateTime: updatedAt.toISOString(),
    }));
    return { agentId: own, count: entries.length, entries };
  },
});

export const forgetStructured = defineTool({
  name: "forget_structured",
  title: "Forget by type and key",
  description: "Forgets a remembered fact of this person by its type and key.",
  family,
  tier: "extension",
  effect: "write",
  needs: [memory],
  primaryArgument: "key",
  input: z.object({ agentId, type: type.describe("Its type"), key: key.describe("Its key") }),
  approval: memoryEffects,
  async execute({ agentId, type, key }, { memory }) {
    await requireOwn(memory, agentId);
    if (!(await memory.forget(type, key))) {
      throw new AppError("not_found", `Nothing of this person is remembered as ${type}/${key}. recall_structured lists what is.`);
    }
    return { success: true, type, key, message: `Forgot ${type}/${key}.` };
  },
});
