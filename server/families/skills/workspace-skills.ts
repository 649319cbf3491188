import "server-only";
import { and, asc, eq, ne } from "drizzle-orm";
import { agentSkills, skillSecrets, skills, tools } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import { versionedCache } from "@/server/platform/signals/versioned-cache";
import { readManifest } from "./format/manifest";
import { countInstallations } from "./install-shipped";
import { type KnownSkill, type SkillStatus, statusOf } from "./skill-state";

/** The skills of a workspace, by name, with what is bound to its agents. */
export type WorkspaceSkills = {
  all: readonly KnownSkill[];
  byName: ReadonlyMap<string, KnownSkill>;
  byId: ReadonlyMap<string, KnownSkill>;
  /** Ids of bound skills by agent; agents without any are absent. */
  bound: ReadonlyMap<string, ReadonlySet<string>>;
  hasTool: (name: string) => boolean;
};

/** Returns the skills of a workspace, from memory until the configuration changes on any replica. */
export const loadWorkspaceSkills = versionedCache("skills", readWorkspaceSkills, countInstallations);

async function readWorkspaceSkills(workspaceId: string): Promise<WorkspaceSkills> {
  const [rows, secrets, bindings, toolRows] = await Promise.all([
    db().select().from(skills).where(eq(skills.workspaceId, workspaceId)).orderBy(asc(skills.name)),
    db()
      .select({ skillId: skillSecrets.skillId, name: skillSecrets.name })
      .from(skillSecrets)
      .innerJoin(skills, eq(skills.id, skillSecrets.skillId))
      .where(eq(skills.workspaceId, workspaceId)),
    db()
      .select({ skillId: agentSkills.skillId, agentId: agentSkills.agentId })
      .from(agentSkills)
      .innerJoin(skills, eq(skills.id, agentSkills.skillId))
      .where(eq(skills.workspaceId, workspaceId)),
    db()
      .select({ name: tools.name, aliases: tools.aliases })
      .from(tools)
      // A skill cannot need its own tools.
      .where(and(eq(tools.workspaceId, workspaceId), eq(tools.enabled, true), ne(tools.source, "skill"))),
  ]);
  const secretsOf = Map.groupBy(secrets, ({ skillId }) => skillId);
  const agentsOf = Map.groupBy(bindings, ({ skillId }) => skillId);
  const all = rows.flatMap((row): KnownSkill[] => {
    try {
      const setSecrets = new Set(secretsOf.get(row.id)?.map(({ name }) => name));
      const boundTo = new Set(agentsOf.get(row.id)?.map(({ agentId }) => agentId));
      return [{ row, manifest: readManifest(row.text), setSecrets, boundTo }];
    } catch (error) {
      // One row that this version does not understand must not take all other skills.
      log().error({ err: error, skill: row.name }, "a skill could not be read; install it again");
      return [];
    }
  });
  const names = new Set(toolRows.flatMap(({ name, aliases }) => [name, ...aliases]));
  return {
    all,
    byName: new Map(all.map((skill) => [skill.row.name, skill])),
    byId: new Map(all.map((skill) => [skill.row.id, skill])),
    bound: new Map(
      [...Map.groupBy(bindings, ({ agentId }) => agentId)].map(([agentId, own]) => [agentId, new Set(own.map(({ skillId }) => skillId))]),
    ),
    hasTool: (name) => names.has(name),
  };
}

/** Returns whether agents get a skill now, and why not. */
export const currentStatus = (skill: KnownSkill, { hasTool }: Pick<WorkspaceSkills, "hasTool">): SkillStatus =>
  statusOf(skill, hasTool, Date.now());

/** Returns whether an agent has a skill: bound ones only, or all where none is bound. */
export const isForAgent = ({ bound }: Pick<WorkspaceSkills, "bound">, agentId: string, skillId: string): boolean =>
  bound.get(agentId)?.has(skillId) ?? true;

/** Returns the ready skills of an agent, by name. */
export function skillsOfAgent(known: WorkspaceSkills, agentId: string): KnownSkill[] {
  return known.all.filter((skill) => isForAgent(known, agentId, skill.row.id) && currentStatus(skill, known).state === "ready");
}
