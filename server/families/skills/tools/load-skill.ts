import { z } from "zod";
import { JsonObject } from "@/contracts/common";
import { noEffects } from "@/server/guard/effects/declare-effects";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { type AnyTool, defineTool } from "@/server/tools/define-tool";
import { repairName } from "@/server/tools/resolve-name";
import { fillParameters } from "../format/fill-parameters";
import { assertSkillPath, mainFile } from "../format/skill-paths";
import { textOf } from "../packages/package-files";
import { listFiles, readFile } from "../save-skill";
import type { KnownSkill } from "../skill-state";
import { skillsCapability } from "../skills-capability";
import { assertSkillName, skillName, skillNameAliases } from "./skill-input";

const maxListed = 60;

const loadSkillTool = defineTool({
  name: "load_skill",
  title: "Load a skill",
  description:
    "Loads a skill's instructions by its exact name, before you begin a task that it fits. They stay for the whole conversation. filePath loads another text of the skill in place of SKILL.md.",
  family: "skills",
  tier: "core",
  effect: "read",
  needs: [skillsCapability],
  names: { parameterAliases: { ...skillNameAliases, file_path: "filePath", path: "filePath", args: "parameters" } },
  primaryArgument: "skillName",
  approval: {
    ...noEffects,
    // Before the guard, which would take the path for one of the conversation's folder.
    completeArguments: async (args) => (args.filePath === undefined ? args : { ...args, filePath: assertSkillPath(args.filePath) }),
  },
  disclosure: { ofSkills: true },
  result: { neverSpilled: true, pinsResults: true },
  input: z.object({
    skillName,
    filePath: z.string().trim().min(1).max(500).optional().describe("A text of the skill, such as references/api.md"),
    parameters: JsonObject.optional().describe("Values of the skill's own parameters"),
    redirected: z.literal(true).optional().describe("Leave out"),
  }),
  async execute({ skillName, filePath, parameters = {}, redirected }, { skills }) {
    const skill = await skills.find(assertSkillName(skillName));
    const missing: string[] = [];
    for (const name of skill.manifest.requiredTools) if (!(await skills.hasTool(name))) missing.push(name);
    if (missing.length > 0) {
      throw new AppError(
        "conflict",
        `Error: Skill '${skill.row.name}' needs ${missing.join(", ")}, which this agent does not have. Ask an admin to give it, or go on without the skill.`,
      );
    }
    const text = filePath === undefined || filePath === mainFile ? await mainText(skill, parameters) : await fileText(skill, filePath);
    await skills.noteUse(skill, { isLoaded: true });
    return redirected
      ? `[auto-redirect] ${skill.row.name} is a skill and no tool. Its instructions follow; do as they say.\n\n${text}`
      : text;
  },
});

export const { name: loadSkillName } = loadSkillTool;

/** A skill's name that is called as a tool arrives here with that name: its arguments are those of a tool that does not exist. */
export const loadSkill: AnyTool = {
  ...loadSkillTool,
  parse: (args, requestedName) => {
    const isOwn = requestedName === undefined || [loadSkillName, "skill"].includes(repairName(requestedName));
    if (isOwn || args.redirected === true) return loadSkillTool.parse(args, requestedName);
    return { ok: true, value: { skillName: requestedName, redirected: true } };
  },
};

async function mainText({ row, manifest }: KnownSkill, parameters: JsonObject): Promise<string> {
  const files = (await listFiles(db(), row)).map(({ path }) => path).filter((path) => path !== mainFile);
  const more = files.length > maxListed ? ` and ${files.length - maxListed} more` : "";
  const listed = files.length > 0 ? `\n\nFiles of the skill, read by their paths: ${files.slice(0, maxListed).join(", ")}${more}.` : "";
  const tools = manifest.entries.map(({ tool }) => tool);
  const offered = tools.length > 0 ? `\n\nIts tools: ${tools.join(", ")}.` : "";
  const lessons = row.lessons.trim() === "" ? "" : `\n\n# Lessons of earlier work\n\n${row.lessons.trim()}`;
  return `Skill: ${row.name}\n\n${fillParameters(manifest.body, manifest.parameters, parameters).trim()}${lessons}${offered}${listed}`;
}

async function fileText({ row }: KnownSkill, given: string): Promise<string> {
  const path = assertSkillPath(given);
  const file = await readFile(db(), row, path);
  if (!file) throw new AppError("not_found", `Error: Skill '${row.name}' has no file ${path}. List its files, and use one of their paths.`);
  const text = textOf(file.content);
  if (text === null) throw new AppError("invalid", `Error: ${path} is no text. A script of the skill can read it.`);
  return `${path} of the skill ${row.name}:\n\n${text}`;
}
