import "server-only";
import { and, eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { severities } from "@/contracts/decisions/decision";
import type { Db } from "@/db/client";
import { skills } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { readManifest } from "./format/manifest";
import { assertSkillPath, mainFile } from "./format/skill-paths";
import { textOf } from "./packages/package-files";
import { readFiles, saveSkill } from "./save-skill";
import { worstOf } from "./scan/scan-skill";
import type { SkillRow } from "./skill-state";
import { removeSkillTools } from "./skill-tools";

type By = { workspaceId: string; actor: ActorRef };
type DraftChange =
  | { kind: "create" | "write"; path: string; text: string }
  | { kind: "patch"; path: string; oldText: string; newText: string };

/** Saves what an agent makes of a skill: scanned, as a version, and awaiting a person. @throws AppError */
export async function saveDraft(
  { workspaceId, actor }: By,
  name: string,
  change: DraftChange,
): Promise<{ worst: (typeof severities)[number] | null }> {
  const path = assertSkillPath(change.path);
  return db().transaction(async (tx) => {
    const before = await lockDraft(tx, workspaceId, name);
    if (change.kind === "create" && before)
      throw new AppError("conflict", `Error: a skill '${name}' exists already. Edit it, or take another name.`);
    if (change.kind !== "create" && !before) throw new AppError("not_found", `Error: Skill '${name}' not found. Create it first.`);
    const files = before ? await readFiles(tx, before) : new Map<string, Uint8Array>();
    files.set(path, new TextEncoder().encode(change.kind === "patch" ? patched(files.get(path), path, change) : change.text));
    const main = files.get(mainFile);
    const named = main ? readManifest(new TextDecoder().decode(main)).name : "";
    if (named !== name)
      throw new AppError(
        "invalid",
        `Error: the frontmatter of SKILL.md names the skill '${named}', but the call says '${name}'. Make them equal.`,
      );
    const row = await saveSkill(tx, {
      workspaceId,
      files,
      kind: "dynamic",
      source: "agent",
      sourceNote: actor.name,
      actor,
      requestId: null,
      replace: before !== null,
      awaits: true,
      summary: before ? `${path} changed by an agent` : "Drafted by an agent",
      event: "skill.drafted",
    });
    return { worst: worstOf(row.findings) };
  });
}

/** Deletes a skill that agents made. @throws AppError */
export async function deleteDraft({ workspaceId, actor }: By, name: string): Promise<void> {
  await db().transaction(async (tx) => {
    const row = await lockDraft(tx, workspaceId, name);
    if (!row) throw new AppError("not_found", `Error: Skill '${name}' not found.`);
    if (row.isPinned) throw new AppError("forbidden", `Error: Skill '${name}' is pinned by a person. Ask a person to delete it.`);
    await removeSkill(tx, row, { actor, requestId: null });
  });
}

/** Removes a locked skill with everything of it. */
export async function removeSkill(tx: Db, row: SkillRow, by: { actor: ActorRef; requestId: string | null }): Promise<void> {
  await removeSkillTools(tx, row);
  await tx.delete(skills).where(eq(skills.id, row.id));
  await recordConfigChange(tx, {
    workspaceId: row.workspaceId,
    event: "skill.removed",
    ...by,
    subject: row.id,
    data: { name: row.name, kind: row.kind },
  });
}

/** @throws AppError `forbidden` for a skill that no agent made */
async function lockDraft(tx: Db, workspaceId: string, name: string): Promise<SkillRow | null> {
  const [row] = await tx
    .select()
    .from(skills)
    .where(and(eq(skills.workspaceId, workspaceId), eq(skills.name, name)))
    .for("update");
  if (row && row.kind !== "dynamic")
    throw new AppError("forbidden", `Error: Skill '${name}' was not made by an agent, so agents cannot change it. Ask a person.`);
  return row ?? null;
}

function patched(bytes: Uint8Array | undefined, path: string, { oldText, newText }: { oldText: string; newText: string }): string {
  const text = bytes ? textOf(bytes) : null;
  if (text === null) throw new AppError("not_found", `Error: the skill has no text ${path}.`);
  const times = text.split(oldText).length - 1;
  if (times !== 1)
    throw new AppError(
      "invalid",
      `Error: oldText stands ${times} times in ${path}. It must stand there exactly once; send more of the text around it.`,
    );
  return text.replace(oldText, () => newText);
}
