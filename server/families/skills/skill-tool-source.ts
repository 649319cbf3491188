import "server-only";
import { and, eq } from "drizzle-orm";
import type { SkillEntry } from "@/contracts/skills/skills";
import { tools } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import type { AnyTool } from "@/server/tools/define-tool";
import type { JoinedTools, Redirect, StoredTool, StoredToolSource } from "@/server/tools/tool-sources";
import type { KnownSkill } from "./skill-state";
import { describeSkillTool } from "./skill-tools";
import { type SkillsCapability, skillsCapability } from "./skills-capability";
import { listAvailableSkills } from "./tools/list-available-skills";
import { loadSkillName } from "./tools/load-skill";
import { listSkillFiles, readSkillFile } from "./tools/read-skill-file";
import { recordLesson } from "./tools/record-lesson";
import { runSkillScript } from "./tools/run-skill-script";
import { currentStatus, loadWorkspaceSkills } from "./workspace-skills";

const helpers = [
  loadSkillName,
  ...[readSkillFile, runSkillScript, listSkillFiles, listAvailableSkills, recordLesson].map(({ name }) => name),
];

/** Scripts of skills as tools: a row each, whose raw name is `<skill's id>/<script's id>`. */
export const skillToolSource: StoredToolSource = { source: "skill", load: loadSkillTools, joined: loadJoined, redirects: loadRedirects };

async function loadSkillTools(workspaceId: string): Promise<ReadonlyMap<string, StoredTool>> {
  const known = await loadWorkspaceSkills(workspaceId);
  const rows = await db()
    .select({ id: tools.id, rawName: tools.rawName })
    .from(tools)
    .where(and(eq(tools.workspaceId, workspaceId), eq(tools.source, "skill")));
  return new Map(
    rows.flatMap(({ id, rawName }): [string, StoredTool][] => {
      const [skillId = "", entryId] = rawName.split("/");
      const skill = known.byId.get(skillId);
      const entry = skill?.manifest.entries.find((one) => one.id === entryId);
      if (!skill || !entry) return [];
      const isOff = currentStatus(skill, known).state !== "ready";
      const withoutAgents = new Set([...known.bound].filter(([, skills]) => !skills.has(skillId)).map(([agentId]) => agentId));
      return [[id, { tool: makeSkillTool(skill, entry), sourceName: skill.row.name, isOff, withoutAgents }]];
    }),
  );
}

/** An agent that was given skills has the tools to work with them, and those of their scripts, whatever is ticked. */
async function loadJoined(workspaceId: string): Promise<JoinedTools> {
  const known = await loadWorkspaceSkills(workspaceId);
  return new Map(
    [...known.bound].map(([agentId, ids]) => {
      const scripts = [...ids].flatMap((id) => known.byId.get(id)?.manifest.entries.map(({ tool }) => tool) ?? []);
      return [agentId, new Set([...helpers, ...scripts])];
    }),
  );
}

/** A model that calls a skill as if it were a tool gets its instructions. */
async function loadRedirects(workspaceId: string): Promise<ReadonlyMap<string, Redirect>> {
  const { all } = await loadWorkspaceSkills(workspaceId);
  return new Map(all.map(({ row }) => [row.name, { tool: loadSkillName }]));
}

function makeSkillTool(skill: KnownSkill, entry: SkillEntry): AnyTool {
  const { id: skillId, contentVersion } = skill.row;
  return {
    ...describeSkillTool(skill, entry),
    capabilities: [skillsCapability],
    run: (parameters, context) => (context.skills as SkillsCapability).runEntry({ skillId, contentVersion, entry, parameters }, context),
  };
}
