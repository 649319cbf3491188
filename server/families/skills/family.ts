import { defineFamily } from "../define-family";
import { skillAnswers } from "./endpoints";
import { installShippedEverywhere } from "./install-shipped";
import { skillNote, skillShare, writeSkillSection } from "./prompt-section";
import { skillToolSource } from "./skill-tool-source";
import { skillsCapability } from "./skills-capability";
import { listAvailableSkills } from "./tools/list-available-skills";
import { loadSkill } from "./tools/load-skill";
import { listSkillFiles, readSkillFile } from "./tools/read-skill-file";
import { recordLesson } from "./tools/record-lesson";
import { runSkillScript } from "./tools/run-skill-script";
import { skillManage } from "./tools/skill-manage";

export const skillsFamily = defineFamily({
  name: "skills",
  endpoints: skillAnswers,
  tools: [loadSkill, readSkillFile, runSkillScript, listSkillFiles, listAvailableSkills, recordLesson, skillManage],
  capabilities: [skillsCapability],
  toolSource: skillToolSource,
  promptSection: { share: skillShare, write: writeSkillSection },
  contextNote: skillNote,
  boot: [installShippedEverywhere],
});
