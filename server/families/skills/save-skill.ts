import "server-only";
import { and, desc, eq, inArray, lt, notInArray, sql } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Skill, SkillFinding } from "@/contracts/skills/skills";
import type { Db } from "@/db/client";
import { skillContents, skillFiles, skills, skillVersions } from "@/db/schema";
import { record } from "@/server/audit/record";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { sha256 } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";
import { builtinTools } from "@/server/tools/builtin-tools";
import { type Manifest, readManifest } from "./format/manifest";
import { mainFile } from "./format/skill-paths";
import { assertSize, type Files, textOf } from "./packages/package-files";
import { scanSkill, worstOf } from "./scan/scan-skill";
import { interpreterOf } from "./scan/script-kinds";
import type { SkillRow } from "./skill-state";
import { syncSkillTools } from "./skill-tools";

const keptVersions = 20;
const maxSkills = 2_000;

/** The facts of files before they are saved. */
export type InspectedSkill = { manifest: Manifest; text: string; findings: SkillFinding[]; scriptKinds: string[] };

const dangerousTools = (): string[] =>
  builtinTools()
    .filter(({ dangerous }) => dangerous)
    .map(({ name }) => name);

/** Reads and scans the files of a skill. @throws AppError `invalid`, `too_large` */
export function inspectSkill(files: Files): InspectedSkill {
  assertSize({ folder: "", files });
  const main = files.get(mainFile);
  const text = main ? textOf(main)?.replace(/^\ufeff/, "") : undefined;
  if (text === undefined || text === null) throw new AppError("invalid", "SKILL.md is missing, or is no UTF-8 text.");
  const manifest = readManifest(text);
  for (const { id, path } of manifest.entries) {
    if (!files.has(path)) throw new AppError("invalid", `SKILL.md names the script ${path} (${id}), which the skill does not have.`);
  }
  const scripts = [...files]
    .filter(([path]) => path.startsWith("scripts/"))
    .flatMap(([path, bytes]) => interpreterOf(path, textOf(bytes) ?? "") ?? []);
  return { manifest, text, findings: scanSkill(files, dangerousTools()), scriptKinds: [...new Set(scripts)].sort() };
}

export type SkillChange = {
  workspaceId: string;
  files: Files;
  kind: Skill["kind"];
  source: Skill["source"];
  sourceNote: string;
  actor: ActorRef;
  requestId: string | null;
  /** A person has seen findings of the severity `high`. */
  acceptFindings?: boolean;
  /** Handrail's own files need no consent. */
  isOurs?: boolean;
  replace?: boolean;
  /** Made by an agent: it waits for a person. */
  awaits?: boolean;
  summary?: string;
  event?: "skill.installed" | "skill.updated" | "skill.drafted";
};

/**
 * Inserts a skill or replaces its content, with its version, tools and audit row, in the caller's transaction.
 * @throws AppError `conflict` for a taken name or findings that nobody accepted, `invalid`, `too_large`
 */
export async function saveSkill(tx: Db, change: SkillChange): Promise<SkillRow> {
  const inspected = inspectSkill(change.files);
  const { manifest, findings } = inspected;
  const { workspaceId, actor, awaits = false, isOurs = false } = change;
  const isAccepted = isOurs || change.acceptFindings === true;
  if (worstOf(findings) === "high" && !isAccepted && !awaits) throw unaccepted(manifest.name, findings);
  const [before] = await tx
    .select()
    .from(skills)
    .where(and(eq(skills.workspaceId, workspaceId), eq(skills.name, manifest.name)))
    .for("update");
  if (before && !change.replace)
    throw new AppError("conflict", `There is a skill ${manifest.name} already. Replace it, or give this one another name.`);
  if (!before && (await tx.$count(skills, eq(skills.workspaceId, workspaceId))) >= maxSkills) {
    throw new AppError("conflict", `A workspace has at most ${maxSkills} skills. Remove some first.`);
  }
  const columns = {
    text: inspected.text,
    findings,
    findingsAccepted: isAccepted,
    fileCount: change.files.size,
    byteCount: [...change.files.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0),
    scriptKinds: inspected.scriptKinds,
    kind: change.kind,
    source: change.source,
    sourceNote: change.sourceNote.slice(0, 500),
    review: awaits ? ("awaiting" as const) : ("approved" as const),
  };
  const row = before ? await updated(tx, before, columns) : await inserted(tx, { workspaceId, name: manifest.name, ...columns });
  await keepFiles(tx, row, change.files, { author: actor, summary: change.summary ?? (before ? "Replaced" : "Installed") });
  await syncSkillTools(tx, row, manifest);
  // The workspace's version is locked by calls that may wait for the skills that come with Handrail; their count makes caches old instead.
  await (isOurs ? record : recordConfigChange)(tx, {
    workspaceId,
    event: change.event ?? (before ? "skill.updated" : "skill.installed"),
    actor,
    subject: row.id,
    data: {
      name: row.name,
      source: row.source,
      sourceNote: row.sourceNote,
      files: row.fileCount,
      bytes: row.byteCount,
      worst: worstOf(findings),
      contentVersion: row.contentVersion,
    },
    requestId: change.requestId,
  });
  return row;
}

function unaccepted(name: string, findings: readonly SkillFinding[]): AppError {
  const high = findings.filter(({ severity }) => severity === "high");
  const shown = high.slice(0, 3).map(({ file, line, message }) => `${file}, line ${line}: ${message}`);
  const more = high.length > 3 ? ` And ${high.length - 3} more.` : "";
  return new AppError(
    "conflict",
    `The scan of ${name} found: ${shown.join(" ")}${more} Look at it, and send acceptFindings when it is meant to be so.`,
  );
}

async function inserted(tx: Db, values: typeof skills.$inferInsert): Promise<SkillRow> {
  const [row] = await tx.insert(skills).values(values).onConflictDoNothing().returning();
  if (!row) throw new AppError("conflict", `There is a skill ${values.name} already. Replace it, or give this one another name.`);
  return row;
}

async function updated(tx: Db, before: SkillRow, columns: Partial<typeof skills.$inferInsert>): Promise<SkillRow> {
  const [row] = await tx
    .update(skills)
    .set({ ...columns, contentVersion: before.contentVersion + 1, version: before.version + 1 })
    .where(eq(skills.id, before.id))
    .returning();
  if (!row) throw new AppError("not_found", "This skill was removed meanwhile.");
  return row;
}

/** Stores the files as a version; the oldest versions and bytes that no version has go. */
async function keepFiles(
  tx: Db,
  { id: skillId, contentVersion: version }: SkillRow,
  files: Files,
  by: { author: ActorRef; summary: string },
): Promise<void> {
  await tx.insert(skillVersions).values({ skillId, version, ...by });
  const rows = [...files].map(([path, bytes]) => ({
    skillId,
    version,
    path,
    bytes: bytes.byteLength,
    sha256: sha256(bytes),
    content: bytes,
  }));
  const byHash = [...new Map(rows.map((row) => [row.sha256, row])).values()];
  for (const { sha256: hash, content } of byHash)
    await tx.insert(skillContents).values({ skillId, sha256: hash, content }).onConflictDoNothing();
  for (let at = 0; at < rows.length; at += 500) {
    await tx.insert(skillFiles).values(rows.slice(at, at + 500).map(({ content: _content, ...row }) => row));
  }
  const [oldest] = await tx
    .select({ version: skillVersions.version })
    .from(skillVersions)
    .where(eq(skillVersions.skillId, skillId))
    .orderBy(desc(skillVersions.version))
    .offset(keptVersions - 1)
    .limit(1);
  if (!oldest) return;
  await tx.delete(skillVersions).where(and(eq(skillVersions.skillId, skillId), lt(skillVersions.version, oldest.version)));
  const used = tx.select({ sha256: skillFiles.sha256 }).from(skillFiles).where(eq(skillFiles.skillId, skillId));
  await tx.delete(skillContents).where(and(eq(skillContents.skillId, skillId), notInArray(skillContents.sha256, used)));
}

/** Returns the paths and hashes of a skill's files, in order. */
export const listFiles = (tx: Db, { id, contentVersion }: Pick<SkillRow, "id" | "contentVersion">) =>
  tx
    .select({ path: skillFiles.path, bytes: skillFiles.bytes, sha256: skillFiles.sha256 })
    .from(skillFiles)
    .where(and(eq(skillFiles.skillId, id), eq(skillFiles.version, contentVersion)))
    .orderBy(sql`${skillFiles.path} <> ${mainFile}`, skillFiles.path);

/** Reads all files of a version. @throws AppError `not_found` */
export async function readFiles(tx: Db, { id, contentVersion }: Pick<SkillRow, "id" | "contentVersion">): Promise<Map<string, Uint8Array>> {
  const listed = await listFiles(tx, { id, contentVersion });
  if (listed.length === 0) throw new AppError("not_found", "This skill has no such version.");
  const hashes = [...new Set(listed.map(({ sha256: hash }) => hash))];
  const contents = await tx
    .select({ sha256: skillContents.sha256, content: skillContents.content })
    .from(skillContents)
    .where(and(eq(skillContents.skillId, id), inArray(skillContents.sha256, hashes)));
  const byHash = new Map(contents.map(({ sha256: hash, content }) => [hash, content]));
  return new Map(listed.map(({ path, sha256: hash }) => [path, byHash.get(hash) ?? new Uint8Array()]));
}

/** Reads one file of a skill; null when there is none. */
export async function readFile(tx: Db, { id, contentVersion }: Pick<SkillRow, "id" | "contentVersion">, path: string) {
  const [file] = await tx
    .select({ path: skillFiles.path, bytes: skillFiles.bytes, sha256: skillFiles.sha256, content: skillContents.content })
    .from(skillFiles)
    .innerJoin(skillContents, and(eq(skillContents.skillId, skillFiles.skillId), eq(skillContents.sha256, skillFiles.sha256)))
    .where(and(eq(skillFiles.skillId, id), eq(skillFiles.version, contentVersion), eq(skillFiles.path, path)));
  return file ?? null;
}
