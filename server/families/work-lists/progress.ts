import { z } from "zod";
import { progressStatuses, type WorkList } from "@/contracts/conversations/work-lists";

export const maxProgressSteps = 100;

/** One reported step as it is stored by its key. */
export const KeptProgress = z.object({
  label: z.string(),
  status: z.enum(progressStatuses),
  note: z.string(),
  /** Place among the steps, from 0. */
  place: z.number(),
});
export type KeptProgress = z.infer<typeof KeptProgress>;

/** Other words of models for a status. */
export const progressWords = { running: "in_progress", done: "completed", error: "failed" } as const;
export type ProgressWord = (typeof progressStatuses)[number] | keyof typeof progressWords;

export const toProgressStatus = (word: ProgressWord): KeptProgress["status"] =>
  word in progressWords ? progressWords[word as keyof typeof progressWords] : (word as KeptProgress["status"]);

/** Returns the steps in the order of their first reports; rows that cannot be read are left out. */
export function listProgress(kept: ReadonlyMap<string, unknown>): WorkList["progress"] {
  const steps = [...kept].flatMap(([key, value]) => {
    const parsed = KeptProgress.safeParse(value);
    return parsed.success ? [{ key, ...parsed.data }] : [];
  });
  return steps.sort((one, other) => one.place - other.place).map(({ place: _, ...step }) => step);
}
