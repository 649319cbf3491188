import { z } from "zod";
import { noEffects } from "@/server/guard/effects/declare-effects";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { assertSkillPath, mainFile } from "../format/skill-paths";
import { lessonsFile } from "../lessons";
import { textOf } from "../packages/package-files";
import { listFiles, readFile } from "../save-skill";
import { skillsCapability } from "../skills-capability";
import { assertSkillName, skillName, skillNameAliases } from "./skill-input";

const pageCharacters = 8_000;

export const readSkillFile = defineTool({
  name: "read_skill_file",
  title: "Read a file of a skill",
  description: "Reads a text file of a skill by its path in the skill, in pages of lines.",
  family: "skills",
  tier: "core",
  effect: "read",
  needs: [skillsCapability],
  names: {
    parameterAliases: { ...skillNameAliases, file_path: "filePath", path: "filePath", start_line: "startLine", max_lines: "maxLines" },
  },
  primaryArgument: "filePath",
  approval: {
    ...noEffects,
    // Before the guard, which would take the path for one of the conversation's folder.
    completeArguments: async (args) => ({ ...args, filePath: assertSkillPath(args.filePath) }),
  },
  disclosure: { ofSkills: true },
  result: { neverSpilled: true },
  input: z.object({
    skillName,
    filePath: z.string().trim().min(1).max(500).default(mainFile).describe("Path in the skill, such as references/api.md"),
    startLine: z.number().int().min(1).default(1).describe("First line, from 1"),
    maxLines: z.number().int().min(1).max(2_000).default(300).describe("Lines of a page"),
  }),
  async execute({ skillName, filePath, startLine, maxLines }, { skills }) {
    const { row } = await skills.find(assertSkillName(skillName));
    const path = assertSkillPath(filePath);
    const file = await readFile(db(), row, path);
    const isLessons = path === lessonsFile && row.lessons !== "";
    if (!file && !isLessons)
      throw new AppError("not_found", `Error: Skill '${row.name}' has no file ${path}. List its files, and use one of their paths.`);
    const text = file ? textOf(file.content) : row.lessons;
    if (text === null) throw new AppError("invalid", `Error: ${path} is no text. A script of the skill can read it.`);
    return pageOf(text, { path, startLine, maxLines });
  },
});

function pageOf(text: string, { path, startLine, maxLines }: { path: string; startLine: number; maxLines: number }): string {
  const lines = text.split("\n");
  if (lines.at(-1) === "" && lines.length > 1) lines.pop();
  if (startLine > lines.length) throw new AppError("invalid", `startLine: ${path} has ${lines.length} lines.`);
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines.slice(startLine - 1, startLine - 1 + maxLines)) {
    if (shown.length > 0 && characters + line.length > pageCharacters) break;
    shown.push(line.length > pageCharacters ? `${line.slice(0, pageCharacters).toWellFormed()} [the line goes on]` : line);
    characters += line.length + 1;
  }
  const end = startLine + shown.length - 1;
  const more = end < lines.length ? ` Read on with startLine ${end + 1}.` : "";
  return `${path}, lines ${startLine}-${end} of ${lines.length}.${more}\n${shown.join("\n")}`;
}

export const listSkillFiles = defineTool({
  name: "list_skill_files",
  title: "List the files of a skill",
  description: "Lists the files of a skill with their sizes in bytes.",
  family: "skills",
  tier: "extension",
  effect: "read",
  needs: [skillsCapability],
  names: { parameterAliases: skillNameAliases },
  primaryArgument: "skillName",
  approval: noEffects,
  disclosure: { ofSkills: true },
  input: z.object({ skillName }),
  async execute({ skillName }, { skills }) {
    const { row } = await skills.find(assertSkillName(skillName));
    const files = (await listFiles(db(), row)).map(({ path, bytes }) => ({ path, size: bytes }));
    if (row.lessons !== "" && !files.some(({ path }) => path === lessonsFile)) {
      files.push({ path: lessonsFile, size: Buffer.byteLength(row.lessons) });
    }
    return { skillName: row.name, count: files.length, files };
  },
});
