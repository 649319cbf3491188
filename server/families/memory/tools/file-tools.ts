import { z } from "zod";
import { maxMemoryCharacters, memoryScopes } from "@/contracts/memory/memory";
import { actsInside, noEffects } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import type { FileRow } from "../files";
import { type MemoryCapability, memory } from "../memory-capability";

const family = "memory";
export const memoryEffects = { effects: () => [actsInside("changes what the agent remembers")] };

const agentId = z.string().trim().max(100).optional().describe("This agent's id; leave it out");
const filename = z.string().trim().min(1).max(300).describe("Such as MEMORY.md or notes/travel.md");
const scope = z.enum(memoryScopes).default("PERSONAL").describe("PERSONAL: for this person; TEAM: for all who use this agent");
const text = z.string().max(maxMemoryCharacters);

/** The memory of another agent is not there for this one. @throws AppError `forbidden` */
export async function requireOwn(memory: MemoryCapability, given: string | undefined): Promise<string> {
  const own = await memory.agentId();
  if (given && given !== own) throw new AppError("forbidden", "agentId: an agent reads and writes its own memory only. Leave agentId out.");
  return own;
}

const summary = ({ filename, enabled, content, updatedAt }: FileRow) => ({
  filename,
  enabled,
  fileSize: Buffer.byteLength(content),
  updateTime: updatedAt.toISOString(),
});

export const memoryList = defineTool({
  name: "memory_list",
  title: "List memory files",
  description: "Lists the Markdown files that this agent remembers by. Enabled files stand in the prompt already.",
  family,
  tier: "extension",
  effect: "read",
  needs: [memory],
  approval: noEffects,
  names: { aliases: ["list_memory_files"], parameterAliases: { prefix: "filenamePrefix" } },
  primaryArgument: "filenamePrefix",
  input: z.object({ agentId, filenamePrefix: z.string().max(200).default("").describe("Only names that begin so, such as memory/2026-") }),
  async execute({ agentId, filenamePrefix }, { memory }) {
    const own = await requireOwn(memory, agentId);
    const files = (await memory.list(filenamePrefix)).map(summary);
    return { agentId: own, count: files.length, files };
  },
});

export const memoryRead = defineTool({
  name: "memory_read",
  title: "Read a memory file",
  description: "Returns a memory file. Of files with one name, the person's own comes before the team's.",
  family,
  tier: "extension",
  effect: "read",
  needs: [memory],
  approval: noEffects,
  names: { aliases: ["read_memory_file"], parameterAliases: { path: "filename" } },
  primaryArgument: "filename",
  input: z.object({ agentId, filename }),
  async execute({ agentId, filename }, { memory }) {
    const own = await requireOwn(memory, agentId);
    const file = await memory.read(filename);
    const { updateTime, ...rest } = summary(file);
    return { agentId: own, ...rest, content: file.content, updateTime };
  },
});

export const memoryWrite = defineTool({
  name: "memory_write",
  title: "Write a memory file",
  description:
    "Writes a Markdown memory file, or replaces it as a whole; earlier contents stay as versions. New files do not stand in the prompt.",
  family,
  tier: "extension",
  effect: "write",
  needs: [memory],
  names: { aliases: ["write_memory_file"], parameterAliases: { path: "filename" } },
  primaryArgument: "filename",
  input: z.object({ agentId, filename, content: text.describe("The whole content"), scope }),
  approval: memoryEffects,
  async execute({ agentId, filename, content, scope }, { memory }) {
    const own = await requireOwn(memory, agentId);
    const { file, created } = await memory.write(filename, scope, () => content);
    return {
      agentId: own,
      filename: file.filename,
      created,
      overwritten: !created,
      enabled: file.enabled,
      bytesWritten: Buffer.byteLength(content),
      scope,
      ownerKey: file.ownerKey,
      message: `${file.filename} was ${created ? "created" : "overwritten"}.`,
    };
  },
});

export const memoryEdit = defineTool({
  name: "memory_edit",
  title: "Edit a memory file",
  description: "Replaces a text in a memory file. The text must stand there exactly once, unless all places are to be replaced.",
  family,
  tier: "extension",
  effect: "write",
  needs: [memory],
  names: {
    aliases: ["edit_memory_file"],
    parameterAliases: { path: "filename", old_text: "oldText", new_text: "newText", replace_all: "replaceAll" },
  },
  primaryArgument: "filename",
  input: z.object({
    agentId,
    filename,
    oldText: text.min(1, "needs the text to replace").describe("The text as it stands in the file"),
    newText: text.describe("The text in its place"),
    replaceAll: z.boolean().default(false).describe("Replace every place"),
    scope,
  }),
  approval: memoryEffects,
  async execute({ agentId, filename, oldText, newText, replaceAll, scope }, { memory }) {
    const own = await requireOwn(memory, agentId);
    let [replacements, fileSizeBefore] = [0, 0];
    const { file } = await memory.write(filename, scope, (before) => {
      if (before === null) throw new AppError("not_found", `There is no ${scope} memory file ${filename}. Write it, or list the files.`);
      fileSizeBefore = Buffer.byteLength(before);
      const parts = before.split(oldText);
      replacements = parts.length - 1;
      if (replacements === 0)
        throw new AppError("invalid", `oldText does not stand in ${filename}. Read the file and copy the text exactly.`);
      if (replacements > 1 && !replaceAll) {
        throw new AppError("invalid", `oldText stands ${replacements} times in ${filename}. Send more of it, or replaceAll: true.`);
      }
      return parts.join(newText);
    });
    return {
      agentId: own,
      filename: file.filename,
      replacements,
      fileSizeBefore,
      fileSizeAfter: Buffer.byteLength(file.content),
      enabled: file.enabled,
      scope,
      ownerKey: file.ownerKey,
      message: `${replacements} place${replacements === 1 ? "" : "s"} replaced in ${file.filename}.`,
    };
  },
});

export const memorySearch = defineTool({
  name: "memory_search",
  title: "Search memory files",
  description: "Finds lines of memory files by words and meaning, best first. Names of files come with line numbers.",
  family,
  tier: "extension",
  effect: "read",
  needs: [memory],
  approval: noEffects,
  names: { aliases: ["search_memory_files"] },
  primaryArgument: "query",
  input: z.object({
    agentId,
    query: z
      .string()
      .trim()
      .min(2, "needs 2 to 64 characters")
      .max(64, "needs 2 to 64 characters")
      .describe("Words to find, 2 to 64 characters"),
    scope: z.enum(memoryScopes).optional().describe("Only files of this scope"),
    limit: z.int().min(1).max(30).default(10).describe("Lines in the answer"),
  }),
  async execute({ agentId, query, scope, limit }, { memory }) {
    await requireOwn(memory, agentId);
    const { totalHits, hits } = await memory.searchFiles({ query, scope, limit });
    const hint = hits.length > 0 ? "Read a file for the text around a line." : "Nothing was found. Try other words, or list the files.";
    return { query, scope: scope ?? null, totalHits, hits, hint };
  },
});
