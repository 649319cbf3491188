import { useCallback, useSyncExternalStore } from "react";
import { isApiProblem } from "@/components/kit/api/api-problem";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { type Approval, approvalEndpoints } from "@/contracts/browser/approvals/approvals";
import { createOutbox, type OutboxState, type Outcome } from "./outbox";

type TakenListener = (approvals: readonly Approval[]) => void;
const takenListeners = new Set<TakenListener>();

/** Code of a decision that never reached the server. */
export const unreachable = "unreachable";

/** The outbox of this browser tab. */
export const decisionOutbox = createOutbox({
  send: async (decisions, { keepalive }) => {
    const body = { decisions: decisions.map(({ row: _, ...decision }) => decision) };
    return (await call(approvalEndpoints.decideMany, { body }, { keepalive })).results;
  },
  explain: (error) => ({ code: isApiProblem(error) ? error.problem.code : unreachable, detail: toErrorSentence(error) }),
  onTaken: (approvals) => {
    for (const tell of takenListeners) tell(approvals);
  },
});

/** Calls back with the approvals of each chunk that the server accepted. */
export function onDecisionsTaken(listener: TakenListener): () => void {
  takenListeners.add(listener);
  return () => void takenListeners.delete(listener);
}

const nothingOnServer: OutboxState = { batches: [], outcomes: new Map() };

/** Returns all decisions that are not yet confirmed by the server. */
export function useOutbox(): OutboxState {
  return useSyncExternalStore(decisionOutbox.subscribe, decisionOutbox.read, () => nothingOnServer);
}

/** Returns this browser's decision about one approval. */
export function useOutcome(approvalId: string): Outcome | undefined {
  const read = useCallback(() => decisionOutbox.read().outcomes.get(approvalId), [approvalId]);
  return useSyncExternalStore(decisionOutbox.subscribe, read, () => undefined);
}
