import { z } from "zod";
import { progressStatuses } from "@/contracts/conversations/work-lists";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { notes } from "../notes";
import { KeptProgress, listProgress, maxProgressSteps, type ProgressWord, progressWords, toProgressStatus } from "../progress";

const words = [...progressStatuses, ...Object.keys(progressWords)] as [ProgressWord, ...ProgressWord[]];

export const progressUpdate = defineTool({
  name: "progress_update",
  title: "Report progress",
  description: "Tells people how far one step of the work is. The same stepKey updates its step; label is shown in place of the key.",
  family: "work-lists",
  tier: "extension",
  // It changes nothing but what this conversation's model keeps for itself.
  effect: "read",
  approval: { effects: () => [actsInside("tells people how far it is")] },
  running: { concurrencySafe: false },
  needs: [notes],
  names: {
    aliases: ["progressUpdate", "update_progress"],
    parameterAliases: { step_key: "stepKey", key: "stepKey", step: "stepKey", title: "label", message: "note" },
  },
  primaryArgument: "stepKey",
  input: z.object({
    stepKey: z.string().trim().min(1).max(100).describe("Short name of the step, such as build"),
    label: z.string().trim().max(200).optional().describe("The step's name for people"),
    status: z.enum(words).describe("State of the step"),
    note: z.string().trim().max(1_000).optional().describe("One sentence about it"),
  }),
  async execute({ stepKey, label, status, note }, { notes, progress }) {
    let steps: ReturnType<typeof listProgress> = [];
    await notes.change("progress", (before) => {
      const known = KeptProgress.safeParse(before.get(stepKey)).data;
      if (!known && before.size >= maxProgressSteps) {
        throw new AppError("conflict", `There are ${maxProgressSteps} steps already. Update one of them by its stepKey.`);
      }
      const kept: KeptProgress = {
        label: label || known?.label || stepKey,
        status: toProgressStatus(status),
        note: note ?? known?.note ?? "",
        place: known?.place ?? before.size,
      };
      const after = new Map(before).set(stepKey, kept);
      steps = listProgress(after);
      return after;
    });
    const step = steps.find(({ key }) => key === stepKey);
    progress([`${step?.label}: ${step?.status}`, ...(note ? [note] : [])].join(". "));
    const done = steps.filter(({ status }) => status === "completed" || status === "skipped").length;
    return { ok: true, stepKey, status: toProgressStatus(status), done, total: steps.length };
  },
});
