import "server-only";
import { and, eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { skills } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { inspectText } from "@/server/tools/definitions/inspect-definition";
import type { KnownSkill } from "./skill-state";

/** The name under which a skill's lessons are read like one of its files. */
export const lessonsFile = "LESSONS.md";
/** Characters of lessons beyond which agents add none, because each load of the skill carries all of them. */
const maxLessons = 8_000;

type By = { workspaceId: string; actor: ActorRef };

/**
 * Adds a lesson of an agent as one bullet to those of a skill; one that stands there already is not repeated.
 * @throws AppError `invalid` for a lesson that orders agents about, `conflict` when there are too many, `not_found`
 */
export async function addLesson({ workspaceId, actor }: By, { row: { id, name } }: Pick<KnownSkill, "row">, lesson: string): Promise<void> {
  const line = `- ${lesson.replace(/\s+/g, " ").trim()}`;
  const found = inspectText(lessonsFile, line).find(({ severity }) => severity === "critical" || severity === "high");
  // Every agent that loads the skill gets the lesson.
  if (found) throw new AppError("invalid", `lesson: ${found.message} Write only what to do, or not to do, in the skill's task.`);
  await db().transaction(async (tx) => {
    const [before] = await tx
      .select({ lessons: skills.lessons, version: skills.version })
      .from(skills)
      .where(and(eq(skills.workspaceId, workspaceId), eq(skills.id, id)))
      .for("update");
    if (!before) throw new AppError("not_found", `Error: Skill '${name}' not found or not enabled. It was removed meanwhile.`);
    if (before.lessons.split("\n").includes(line)) return;
    const lessons = before.lessons.trim() === "" ? line : `${before.lessons.trimEnd()}\n${line}`;
    if (lessons.length > maxLessons) {
      throw new AppError("conflict", `The lessons of ${name} are full (${maxLessons} characters). Ask a person to shorten them.`);
    }
    await tx
      .update(skills)
      .set({ lessons, version: before.version + 1 })
      .where(eq(skills.id, id));
    const data = { name, lessonCharacters: lessons.length };
    await recordConfigChange(tx, { workspaceId, event: "skill.lesson_recorded", actor, subject: id, data, requestId: null });
  });
}
