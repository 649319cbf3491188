import "server-only";
import type { Skill, SkillPreview, SkillSource } from "@/contracts/skills/skills";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError } from "@/server/platform/errors";
import { mainFile } from "./format/skill-paths";
import { knownSkills } from "./known-skills";
import { archiveOf, fetchArchive } from "./packages/fetch-archive";
import { type FoundSkill, splitPackage } from "./packages/package-files";
import { readFolder } from "./packages/read-folder";
import { readZip } from "./packages/read-zip";
import { presentSkill } from "./present-skill";
import { inspectSkill, saveSkill } from "./save-skill";
import type { SkillRow } from "./skill-state";
import { statusOf } from "./skill-state";

type Writer = Authorized<"skills:write">;

/** A package as it was handed in, read whole. */
export type OpenedPackage = { skills: FoundSkill[]; source: Skill["source"]; note: string };

export type InstallOptions = { folders?: readonly string[] | undefined; acceptFindings: boolean; replace: boolean };

/** Opens a text, a folder of the machine or an address. @throws AppError `forbidden` for folders of people who are no owner */
export async function openSource(actor: Actor, source: SkillSource): Promise<OpenedPackage> {
  if (source.type === "text") {
    const files = new Map([[mainFile, new TextEncoder().encode(source.text)]]);
    return { skills: splitPackage(files), source: "text", note: "" };
  }
  if (source.type === "folder") {
    if (actor.role !== "owner")
      throw new AppError("forbidden", "Only an owner installs skills from a folder of the machine. Upload a zip instead.");
    return { skills: splitPackage(await readFolder(source.path)), source: "folder", note: source.path };
  }
  const address = archiveOf(source.url);
  const bytes = await fetchArchive(address);
  const files = await readZip(bytes, { within: address.within, onlySkills: true });
  return { skills: splitPackage(files), source: "address", note: source.url };
}

/** Opens the bytes of a zip. @throws AppError */
export async function openZip(bytes: Uint8Array, name = ""): Promise<OpenedPackage> {
  if (bytes.byteLength === 0) throw new AppError("malformed", "The body is empty. Send the bytes of a zip.");
  return { skills: splitPackage(await readZip(bytes)), source: "zip", note: name };
}

/** Scans the skills of a package. One that cannot be read is a note, and the others are shown. */
export async function previewPackage(actor: Writer, { skills: found }: OpenedPackage): Promise<{ items: SkillPreview[]; notes: string[] }> {
  const known = await knownSkills(actor.workspaceId);
  const notes: string[] = [];
  const items = found.flatMap(({ folder, files }): SkillPreview[] => {
    try {
      const { manifest, text, findings, scriptKinds } = inspectSkill(files);
      const before = known.byName.get(manifest.name);
      const now = new Date();
      const row = {
        text,
        findings,
        scriptKinds,
        review: "approved",
        enabled: true,
        life: "active",
        kind: "custom",
        createdAt: now,
        lastUsedAt: null,
        isPinned: false,
        findingsAccepted: false,
      } as unknown as SkillRow;
      const { life: _life, ...status } = statusOf(
        { row, manifest, setSecrets: before?.setSecrets ?? new Set(), boundTo: new Set() },
        known.hasTool,
        now.getTime(),
      );
      const { name, title, description, license, skillVersion, author, tags, entries, secrets, hosts } = manifest;
      return [
        {
          folder,
          ...{ name, title, description, license, skillVersion, author, tags, entries },
          ...status,
          findings,
          fileList: [...files].map(([path, bytes]) => ({ path, bytes: bytes.byteLength, sha256: sha256(bytes) })),
          secrets: secrets.map((secret) => secret.name),
          declaredHosts: hosts,
          replaces: before?.row.id ?? null,
        },
      ];
    } catch (error) {
      if (!isAppError(error)) throw error;
      notes.push(`${folder || "The package"}: ${error.message}`);
      return [];
    }
  });
  return { items, notes };
}

/** Installs the chosen skills of a package, all of them or none. @throws AppError */
export async function installPackage(
  actor: Writer,
  { skills: found, source, note }: OpenedPackage,
  { folders, acceptFindings, replace }: InstallOptions,
): Promise<{ items: Skill[] }> {
  const missing = folders?.find((folder) => !found.some((one) => one.folder === folder));
  if (missing !== undefined)
    throw new AppError("not_found", `folders: the package has no skill in ${missing || "its top"}. Preview it to see its folders.`);
  const chosen = found.filter(({ folder }) => folders === undefined || folders.includes(folder));
  if (chosen.length === 0) throw new AppError("invalid", "folders: choose at least one skill of the package.");
  const rows = await db().transaction(async (tx) => {
    const saved: SkillRow[] = [];
    for (const { folder, files } of chosen) {
      try {
        const by = { actor: toActorRef(actor), requestId: actor.requestId };
        saved.push(
          await saveSkill(tx, {
            workspaceId: actor.workspaceId,
            files,
            kind: "custom",
            source,
            sourceNote: note,
            ...by,
            acceptFindings,
            replace,
          }),
        );
      } catch (error) {
        if (!isAppError(error) || chosen.length === 1) throw error;
        throw new AppError(error.code, `${folder || "The top"}: ${error.message} Nothing of the package was installed.`, { cause: error });
      }
    }
    return saved;
  });
  const known = await knownSkills(actor.workspaceId);
  return { items: rows.flatMap(({ id }) => known.byId.get(id) ?? []).map((skill) => presentSkill(skill, known, skill.row)) };
}
