import "server-only";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Skill, SkillDetail, SkillPatch, SkillVersion, skillKinds, skillStates } from "@/contracts/skills/skills";
import type { Db } from "@/db/client";
import { agentSkills, agents, skillFiles, skillSecrets, skills, skillVersions } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { seal } from "@/server/platform/crypto";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { removeSkill } from "./drafts";
import { readManifest } from "./format/manifest";
import { assertSkillPath, mainFile } from "./format/skill-paths";
import { knownSkills } from "./known-skills";
import { textOf } from "./packages/package-files";
import { loadUses, presentDetail, presentSkill } from "./present-skill";
import { readFile, readFiles, saveSkill } from "./save-skill";
import { worstOf } from "./scan/scan-skill";
import type { SkillRow } from "./skill-state";
import { syncSkillTools } from "./skill-tools";
import { currentStatus, isForAgent } from "./workspace-skills";

type Reader = Authorized<"skills:read">;
type Writer = Authorized<"skills:write">;

type Filter = {
  query?: string | undefined;
  state?: (typeof skillStates)[number] | undefined;
  kind?: (typeof skillKinds)[number] | undefined;
  agentId?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

export async function listSkills(
  actor: Reader,
  { query = "", state, kind, agentId, limit = 50, cursor }: Filter,
): Promise<{ items: Skill[]; nextCursor: string | null }> {
  const [known, uses] = await Promise.all([knownSkills(actor.workspaceId), loadUses(db(), actor.workspaceId)]);
  const after = cursor === undefined ? null : known.byId.get(decodeCursor(cursor, IdCursor)[0])?.row.name;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = known.all.filter((skill) => {
    const { row, manifest } = skill;
    if (after !== null && after !== undefined && row.name <= after) return false;
    if (kind !== undefined && row.kind !== kind) return false;
    const text = [row.name, manifest.title, manifest.description, ...manifest.tags].join(" ").toLowerCase();
    if (!words.every((word) => text.includes(word))) return false;
    const now = state === undefined && agentId === undefined ? null : currentStatus(skill, known).state;
    if (state !== undefined && now !== state) return false;
    return agentId === undefined || (now === "ready" && isForAgent(known, agentId, row.id));
  });
  const { rows, nextCursor } = toPage(found.slice(0, limit + 1), limit, ({ row }) => [row.id]);
  return { items: rows.map((skill) => presentSkill(skill, known, uses.get(skill.row.id) ?? skill.row)), nextCursor };
}

const missing = () => new AppError("not_found", "This skill does not exist. It may have been removed; list the skills.");

export async function getSkill(actor: Actor, id: string): Promise<SkillDetail> {
  const known = await knownSkills(actor.workspaceId);
  const skill = known.byId.get(id);
  if (!skill) throw missing();
  return presentDetail(db(), skill, known);
}

/** @throws AppError `not_found`, `stale_version` */
async function lockSkill(tx: Db, actor: Actor, id: string, version: number | null): Promise<SkillRow> {
  const [row] = await tx
    .select()
    .from(skills)
    .where(and(eq(skills.workspaceId, actor.workspaceId), eq(skills.id, id)))
    .for("update");
  if (!row) throw missing();
  if (version !== null && version !== row.version) throw new AppError("stale_version", "This skill was changed meanwhile. Load it again.");
  return row;
}

type ChangeEvent = "skill.updated" | "skill.reviewed" | "skill.secret_set" | "skill.secret_removed";

async function change(
  tx: Db,
  actor: Actor,
  before: SkillRow,
  set: Partial<SkillRow>,
  { event, data }: { event: ChangeEvent; data: Record<string, string | number | boolean | string[] | null> },
): Promise<SkillRow> {
  const [row] = await tx
    .update(skills)
    .set({ ...set, version: before.version + 1 })
    .where(eq(skills.id, before.id))
    .returning();
  if (!row) throw missing();
  const { id, workspaceId, name } = row;
  await recordConfigChange(tx, {
    workspaceId,
    event,
    actor: toActorRef(actor),
    subject: id,
    data: { name, ...data },
    requestId: actor.requestId,
  });
  return row;
}

/** @throws AppError `not_found`, `stale_version`, `conflict` for a skill that its scan blocks */
export async function updateSkill(actor: Writer, id: string, patch: SkillPatch, version: number | null): Promise<SkillDetail> {
  await db().transaction(async (tx) => {
    const before = await lockSkill(tx, actor, id, version);
    if (patch.enabled && worstOf(before.findings) === "critical") {
      throw new AppError("conflict", "The scan blocks this skill, so it cannot be switched on. Change the lines that it names first.");
    }
    const { acceptFindings, life, ...set } = patch;
    const row = await change(
      tx,
      actor,
      before,
      {
        ...(Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) as Partial<SkillRow>),
        ...(acceptFindings ? { findingsAccepted: true } : {}),
        // A skill that is brought back begins its time anew.
        ...(life === undefined ? {} : { life, ...(life === "active" ? { lastUsedAt: new Date() } : {}) }),
      },
      { event: "skill.updated", data: inAudit(patch) },
    );
    // The hosts are part of what the guard sees of a tool.
    if (patch.hosts) await syncSkillTools(tx, row, readManifest(row.text));
  });
  return getSkill(actor, id);
}

const inAudit = ({ lessons, ...patch }: SkillPatch) => ({
  ...(Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Record<string, string | boolean | string[]>),
  ...(lessons === undefined ? {} : { lessonCharacters: lessons.length }),
});

/** @throws AppError `not_found`, `stale_version`, `conflict` for a skill that comes with Handrail */
export async function removeSkillOf(actor: Writer, id: string, version: number | null): Promise<void> {
  await db().transaction(async (tx) => {
    const row = await lockSkill(tx, actor, id, version);
    if (row.kind === "builtin") throw new AppError("conflict", `The skill ${row.name} comes with Handrail. Switch it off instead.`);
    await removeSkill(tx, row, { actor: toActorRef(actor), requestId: actor.requestId });
  });
}

/** @throws AppError `not_found` */
export async function readSkillFileOf(actor: Reader, id: string, given: string) {
  const path = assertSkillPath(given);
  const skill = (await knownSkills(actor.workspaceId)).byId.get(id);
  const file = skill ? await readFile(db(), skill.row, path) : null;
  if (!file) throw skill ? new AppError("not_found", `This skill has no file ${path}.`) : missing();
  const { content, ...facts } = file;
  return { ...facts, text: textOf(content) };
}

/** Writes or removes one file, as a new version that is scanned. @throws AppError */
export async function saveFile(
  actor: Writer,
  id: string,
  { path: given, text, acceptFindings }: { path: string; text: string | null; acceptFindings: boolean },
  version: number | null,
): Promise<SkillDetail> {
  const path = assertSkillPath(given);
  await db().transaction(async (tx) => {
    const before = await lockEditable(tx, actor, id, version);
    const files = await readFiles(tx, before);
    if (text === null) {
      if (path === mainFile) throw new AppError("invalid", "path: SKILL.md makes the skill, so it stays. Remove the skill instead.");
      if (!files.delete(path)) throw new AppError("not_found", `path: this skill has no file ${path}.`);
    } else files.set(path, new TextEncoder().encode(text));
    await replaceFiles(tx, actor, before, files, { acceptFindings, summary: text === null ? `${path} removed` : `${path} written` });
  });
  return getSkill(actor, id);
}

/** @throws AppError `not_found`, `stale_version` */
export async function restoreVersion(actor: Writer, id: string, earlier: number, version: number | null): Promise<SkillDetail> {
  await db().transaction(async (tx) => {
    const before = await lockEditable(tx, actor, id, version);
    const files = await readFiles(tx, { id, contentVersion: earlier });
    await replaceFiles(tx, actor, before, files, { acceptFindings: true, summary: `Version ${earlier} restored` });
  });
  return getSkill(actor, id);
}

async function lockEditable(tx: Db, actor: Actor, id: string, version: number | null): Promise<SkillRow> {
  const row = await lockSkill(tx, actor, id, version);
  if (row.kind === "builtin")
    throw new AppError("conflict", `The skill ${row.name} comes with Handrail and changes with it. Install a copy under another name.`);
  return row;
}

async function replaceFiles(
  tx: Db,
  actor: Actor,
  before: SkillRow,
  files: ReadonlyMap<string, Uint8Array>,
  { acceptFindings, summary }: { acceptFindings: boolean; summary: string },
): Promise<void> {
  const { name } = readManifest(textOf(files.get(mainFile) ?? new Uint8Array()) ?? "");
  if (name !== before.name)
    throw new AppError(
      "invalid",
      `The frontmatter names the skill ${name}, but it is ${before.name}. A skill keeps its name; install another one instead.`,
    );
  const { workspaceId, kind, source, sourceNote } = before;
  const by = { actor: toActorRef(actor), requestId: actor.requestId };
  await saveSkill(tx, {
    workspaceId,
    files,
    kind,
    source,
    sourceNote,
    ...by,
    replace: true,
    acceptFindings,
    summary,
    event: "skill.updated",
  });
}

const reserved =
  /^(?:PATH|HOME|TMPDIR|SHELL|IFS|ENV|BASH_ENV|NODE_OPTIONS|PYTHONPATH|PYTHONSTARTUP|PERL5OPT|RUBYOPT|SKILL_.*|LD_.*|.*_proxy)$/i;

/** Keeps a secret sealed; an empty value removes it. @throws AppError `not_found`, `invalid` for a name that programs need */
export async function setSecret(actor: Writer, id: string, name: string, value: string): Promise<SkillDetail> {
  if (reserved.test(name)) throw new AppError("invalid", `name: programs need the variable ${name}, so no secret can have its name.`);
  if (value.includes("\0")) throw new AppError("invalid", "value: a variable cannot hold a NUL character.");
  await db().transaction(async (tx) => {
    const before = await lockSkill(tx, actor, id, null);
    if (value === "") await tx.delete(skillSecrets).where(and(eq(skillSecrets.skillId, id), eq(skillSecrets.name, name)));
    else {
      await tx
        .insert(skillSecrets)
        .values({ workspaceId: actor.workspaceId, skillId: id, name, valueSealed: seal(value) })
        .onConflictDoUpdate({
          target: [skillSecrets.skillId, skillSecrets.name],
          set: { valueSealed: seal(value), updatedAt: new Date() },
        });
    }
    await change(tx, actor, before, {}, { event: value === "" ? "skill.secret_removed" : "skill.secret_set", data: { secret: name } });
  });
  return getSkill(actor, id);
}

/** @throws AppError `not_found`, `stale_version`, `conflict` for a skill that does not wait */
export async function reviewSkill(
  actor: Writer,
  id: string,
  review: "approved" | "rejected",
  version: number | null,
): Promise<SkillDetail> {
  await db().transaction(async (tx) => {
    const before = await lockSkill(tx, actor, id, version);
    if (before.review === review) throw new AppError("conflict", `The skill ${before.name} is ${review} already.`);
    await change(
      tx,
      actor,
      before,
      { review, ...(review === "approved" ? { findingsAccepted: true } : {}) },
      { event: "skill.reviewed", data: { review } },
    );
  });
  return getSkill(actor, id);
}

export async function listVersions(actor: Reader, id: string): Promise<{ items: SkillVersion[] }> {
  if (!(await knownSkills(actor.workspaceId)).byId.has(id)) throw missing();
  const rows = await db()
    .select({
      version: skillVersions.version,
      summary: skillVersions.summary,
      author: skillVersions.author,
      createdAt: skillVersions.createdAt,
      files: sql<number>`count(*)::int`,
    })
    .from(skillVersions)
    .innerJoin(skillFiles, and(eq(skillFiles.skillId, skillVersions.skillId), eq(skillFiles.version, skillVersions.version)))
    .where(eq(skillVersions.skillId, id))
    .groupBy(skillVersions.skillId, skillVersions.version)
    .orderBy(desc(skillVersions.version));
  return { items: rows.map(({ createdAt, ...version }) => ({ ...version, createdAt: createdAt.toISOString() })) };
}

async function assertAgent(tx: Db, actor: Actor, agentId: string): Promise<void> {
  const [agent] = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.workspaceId, actor.workspaceId), eq(agents.id, agentId)));
  if (!agent) throw new AppError("not_found", "This agent does not exist. GET /api/v1/agents lists them.");
}

export async function skillsBoundTo(actor: Reader, agentId: string): Promise<{ skills: string[] }> {
  await assertAgent(db(), actor, agentId);
  return { skills: [...((await knownSkills(actor.workspaceId)).bound.get(agentId) ?? [])].sort() };
}

/** @throws AppError `not_found`, `invalid` for ids of no skill */
export async function bindSkills(actor: Writer, agentId: string, wanted: readonly string[]): Promise<{ skills: string[] }> {
  const ids = [...new Set(wanted)].sort();
  await db().transaction(async (tx) => {
    await assertAgent(tx, actor, agentId);
    const found =
      ids.length === 0
        ? []
        : await tx
            .select({ id: skills.id, name: skills.name })
            .from(skills)
            .where(and(eq(skills.workspaceId, actor.workspaceId), inArray(skills.id, ids)));
    const strange = ids.find((id) => !found.some((one) => one.id === id));
    if (strange) throw new AppError("invalid", `skills: there is no skill ${strange}. GET /api/v1/skills lists them.`);
    await tx.delete(agentSkills).where(eq(agentSkills.agentId, agentId));
    if (ids.length > 0) await tx.insert(agentSkills).values(ids.map((skillId) => ({ agentId, skillId })));
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "agent.skills_changed",
      actor: toActorRef(actor),
      subject: agentId,
      data: { skills: found.map(({ name }) => name).sort() },
      requestId: actor.requestId,
    });
  });
  return { skills: ids };
}
