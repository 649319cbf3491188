import { z } from "zod";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { addLesson, lessonsFile } from "../lessons";
import { skillsCapability } from "../skills-capability";
import { assertSkillName, skillName, skillNameAliases } from "./skill-input";

export const recordLesson = defineTool({
  name: "record_lesson",
  title: "Record a lesson",
  description: "Adds what was learned while working with a skill to its lessons, which everybody who loads the skill gets.",
  family: "skills",
  tier: "extension",
  effect: "write",
  needs: [skillsCapability],
  names: { parameterAliases: skillNameAliases },
  primaryArgument: "lesson",
  approval: { effects: () => [actsInside("adds a lesson to a skill")] },
  disclosure: { ofSkills: true },
  input: z.object({
    agentId: z.string().trim().max(100).optional().describe("This agent's id; leave it out"),
    skillName,
    lesson: z
      .string({ error: ({ input }) => (input === undefined ? "missing required param: lesson" : undefined) })
      .trim()
      .min(1, "needs a text")
      .max(1_000, "at most 1,000 characters")
      .describe("What to do, or not to do, next time"),
  }),
  async execute({ agentId, skillName, lesson }, { skills }) {
    if (agentId && agentId !== (await skills.agentId())) {
      throw new AppError("forbidden", "agentId: an agent records its own lessons only. Leave agentId out.");
    }
    const skill = await skills.find(assertSkillName(skillName));
    await addLesson({ workspaceId: skills.workspaceId, actor: skills.actor }, skill, lesson);
    return { success: true, skillName: skill.row.name, file: lessonsFile, message: "The lesson was recorded." };
  },
});
