import "server-only";
import { desc, eq, inArray } from "drizzle-orm";
import type { Skill, SkillDetail } from "@/contracts/skills/skills";
import type { Db } from "@/db/client";
import { agents, conversationSkills, skills } from "@/db/schema";
import { listFiles } from "./save-skill";
import { worstOf } from "./scan/scan-skill";
import type { KnownSkill } from "./skill-state";
import { currentStatus, type WorkspaceSkills } from "./workspace-skills";

type Uses = Pick<typeof skills.$inferSelect, "uses" | "lastUsedAt">;

/** Loads how often skills of a workspace were used: the caches do not follow that. */
export async function loadUses(tx: Db, workspaceId: string): Promise<ReadonlyMap<string, Uses>> {
  const rows = await tx
    .select({ id: skills.id, uses: skills.uses, lastUsedAt: skills.lastUsedAt })
    .from(skills)
    .where(eq(skills.workspaceId, workspaceId));
  return new Map(rows.map(({ id, ...uses }) => [id, uses]));
}

/** Converts a skill to its public form; no other code does. */
export function presentSkill(skill: KnownSkill, known: Pick<WorkspaceSkills, "hasTool">, { uses, lastUsedAt }: Uses): Skill {
  const { row, manifest } = skill;
  return {
    id: row.id,
    name: row.name,
    title: manifest.title,
    description: manifest.description,
    license: manifest.license,
    skillVersion: manifest.skillVersion,
    author: manifest.author,
    tags: manifest.tags,
    kind: row.kind,
    source: row.source,
    sourceNote: row.source === "shipped" ? "" : row.sourceNote,
    ...currentStatus(skill, known),
    worst: worstOf(row.findings),
    enabled: row.enabled,
    isPinned: row.isPinned,
    files: row.fileCount,
    bytes: row.byteCount,
    tools: manifest.entries.length,
    uses,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Loads what the page of one skill shows. */
export async function presentDetail(tx: Db, skill: KnownSkill, known: Pick<WorkspaceSkills, "hasTool">): Promise<SkillDetail> {
  const { row, manifest, setSecrets, boundTo } = skill;
  const [uses] = await tx.select({ uses: skills.uses, lastUsedAt: skills.lastUsedAt }).from(skills).where(eq(skills.id, row.id));
  const ofAgents =
    boundTo.size > 0
      ? await tx
          .select({ id: agents.id, name: agents.name })
          .from(agents)
          .where(inArray(agents.id, [...boundTo]))
          .orderBy(agents.name)
      : [];
  const lastUses = await tx
    .select({ conversationId: conversationSkills.conversationId, at: conversationSkills.lastUsedAt, uses: conversationSkills.uses })
    .from(conversationSkills)
    .where(eq(conversationSkills.skillId, row.id))
    .orderBy(desc(conversationSkills.lastUsedAt))
    .limit(20);
  const declared = new Map(manifest.secrets.map((secret) => [secret.name, secret]));
  const names = [...new Set([...declared.keys(), ...[...setSecrets].sort()])];
  return {
    ...presentSkill(skill, known, uses ?? row),
    text: row.text,
    fileList: await listFiles(tx, row),
    findings: row.findings,
    parameters: manifest.parameters,
    entries: manifest.entries,
    requiredTools: manifest.requiredTools,
    allowedTools: manifest.allowedTools,
    declaredHosts: manifest.hosts,
    hosts: row.hosts,
    secrets: names.map((name) => ({
      name,
      description: declared.get(name)?.description ?? "",
      isSet: setSecrets.has(name),
      isDeclared: declared.has(name),
    })),
    lessons: row.lessons,
    review: row.review,
    agents: ofAgents,
    lastUses: lastUses.map(({ at, ...use }) => ({ ...use, at: at.toISOString() })),
  };
}
