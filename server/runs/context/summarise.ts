import "server-only";
import type { RunTask } from "../active-runs";
import { endAtLimit } from "../end-run";
import { askWithHooks } from "../hooks/ask-with-hooks";
import { answerSoFar } from "../open-calls";
import type { PreparedStep } from "../prepare-step";
import { spentLimit } from "../run-limits";
import { type LiveRun, saveEnd, saveRun } from "../save-run";
import { addUnstored, addUsage, usageOf } from "../step-usage";
import { type Older, summaryContent, summaryRequest } from "./compact";

type Summarising = Pick<PreparedStep, "hooks" | "providers" | "budget"> & { older: Older };

/**
 * Lets the model summarise the older messages and stores the summary as a message, so that any replica goes on with the same context.
 * It is no step of the run, and its tokens count.
 * @returns false when the run has ended
 */
export async function summarise(live: LiveRun, task: RunTask, { hooks, providers, budget, older }: Summarising): Promise<boolean> {
  const { run } = live;
  const { workspaceId, models } = run;
  const request = { workspaceId, models, ...summaryRequest(older, budget), signal: task.stop.signal };
  const { reply, denied } = await askWithHooks(request, task, { position: run.messageCount, holdsText: true }, hooks);
  const usage = await usageOf(run, providers, reply.finished);
  const spent = addUsage(await addUnstored(run, task), usage);
  if (denied !== null) {
    await saveEnd(live, { status: "failed", answer: answerSoFar(live.messages), error: denied }, [], spent);
    return false;
  }
  const content = await summaryContent(run.conversationId, older, reply.text);
  await saveRun(live, spent, [{ role: "summary", content, model: reply.finished.model, usage }]);
  const used = spentLimit(live.run);
  if (used) await endAtLimit(live, used, []);
  return used === null;
}
