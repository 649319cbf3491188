import "server-only";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { SkillEntry } from "@/contracts/skills/skills";
import { defineCapability } from "@/server/capabilities/define-capability";
import { workspaceShell } from "@/server/capabilities/shell/workspace-shell";
import { AppError } from "@/server/platform/errors";
import type { ToolResult } from "@/server/tools/define-tool";
import { findConversationAgent } from "./conversation-agent";
import { knownSkills } from "./known-skills";
import { type RunningCall, runScript, type ScriptRun } from "./run-script";
import type { KnownSkill } from "./skill-state";
import { capabilityName, scriptArguments } from "./skill-tools";
import { noteUse } from "./uses";
import { currentStatus, isForAgent, type WorkspaceSkills } from "./workspace-skills";

type EntryCall = { skillId: string; contentVersion: number; entry: SkillEntry; parameters: JsonObject };

/** The skills that the agent of a conversation has. */
export type SkillsCapability = {
  workspaceId: string;
  actor: ActorRef;
  agentId: () => Promise<string>;
  known: () => Promise<WorkspaceSkills>;
  /** Finds a ready skill of the agent. @throws AppError `not_found`, `forbidden` */
  find: (name: string) => Promise<KnownSkill>;
  /** Returns true when the agent may call a tool of this name. */
  hasTool: (name: string) => Promise<boolean>;
  noteUse: (skill: KnownSkill, use: { isLoaded: boolean }) => Promise<void>;
  run: (skill: KnownSkill, script: ScriptRun, call: RunningCall) => Promise<ToolResult>;
  runEntry: (entry: EntryCall, call: RunningCall) => Promise<ToolResult>;
};

export const skillsCapability = defineCapability({
  name: capabilityName,
  title: "Skills, and their scripts in the conversation's folder",
  isOfConversation: true,
  runsCommands: true,
  touchesFiles: true,
  reachesHosts: true,
  create: ({ workspaceId, conversationId, actor, folder, openings, classify, network, inBackground, keepCopies }): SkillsCapability => {
    const agent = () => findConversationAgent(workspaceId, conversationId);
    const run: SkillsCapability["run"] = async (skill, script, call) => {
      const shellWith = (programFolders: readonly string[]) =>
        workspaceShell(folder, {
          conversationId,
          openings: openings(),
          classify,
          network: network(),
          isLongRunning: inBackground,
          keepCopies,
          programFolders,
        });
      const result = await runScript(skill, script, { ...call, shellWith });
      await noteUse({ conversationId, skill, isLoaded: false });
      return result;
    };
    return {
      workspaceId,
      actor,
      agentId: async () => (await agent()).id,
      known: () => knownSkills(workspaceId),
      find: async (name) => {
        const known = await knownSkills(workspaceId);
        const skill = known.byName.get(name);
        const status = skill ? currentStatus(skill, known) : null;
        if (!skill || status?.state !== "ready") {
          const why = status ? ` ${status.stateReason}` : "";
          throw new AppError(
            "not_found",
            `Error: Skill '${name}' not found or not enabled.${why} List the skills that you have, and use the exact name.`,
          );
        }
        if (!isForAgent(known, (await agent()).id, skill.row.id)) {
          throw new AppError("forbidden", `Error: Skill '${name}' is not available for this agent.`);
        }
        return skill;
      },
      hasTool: async (name) => (await agent()).hasTool(name),
      noteUse: (skill, { isLoaded }) => noteUse({ conversationId, skill, isLoaded }),
      run,
      runEntry: async ({ skillId, contentVersion, entry, parameters }, call) => {
        const known = await knownSkills(workspaceId);
        const skill = known.byId.get(skillId);
        if (!skill || currentStatus(skill, known).state !== "ready" || skill.row.contentVersion !== contentVersion) {
          throw new AppError(
            "conflict",
            "The skill of this tool was changed or removed meanwhile, so its script did not run. Look at your tools again.",
          );
        }
        return run(skill, { path: entry.path, args: scriptArguments(entry, parameters), parameters }, call);
      },
    };
  },
});
