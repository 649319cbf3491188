import "server-only";
import { settleApproval } from "@/server/approvals/settle-approval";
import type { ApprovalRow } from "@/server/approvals/settlement";
import { systemActor } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { storedTurn } from "../live-turn";
import { prepareRow } from "../prepare-row";
import { loadTurn } from "../read/load-turn";
import { loadTurnContext } from "../turn-context";
import { findChangedSharedFiles } from "./call-contents";

/**
 * Refuses an approval whose files changed since it was asked. The approval becomes void and its turn resumes, so that the
 * call is asked anew with the files that changed.
 * @throws AppError `conflict` that names the files
 */
export async function assertUnchangedFiles(approval: ApprovalRow): Promise<void> {
  if (approval.kind !== "call" || approval.status !== "pending" || approval.contents === null) return;
  const drift = await changesOf(approval);
  if (drift.length === 0) return;
  const isVoid = await settleApproval(approval, { status: "void", actor: systemActor, drift, resumesTurn: true });
  // Somebody else decided first, which the caller's own attempt will say.
  if (!isVoid) return;
  throw new AppError("conflict", `${drift.join(" ")} The approval does not hold for that, so the call is asked anew.`, {
    errors: drift.map((message) => ({ path: "contents", message })),
  });
}

/** Changes that this replica can see; the resumed turn compares the other files where the call runs. */
async function changesOf({ turnId, callId, contents }: ApprovalRow): Promise<string[]> {
  const loaded = await loadTurn(turnId);
  const row = loaded && storedTurn(loaded.turn, loaded.calls).calls.find(({ id }) => id === callId);
  if (!loaded || !row) return [];
  const context = await loadTurnContext(loaded.turn, { fresh: true });
  const prepared = prepareRow(context, row);
  // A call that cannot be prepared does not run, and the resumed turn says why.
  return prepared.kind === "failed" || contents === null ? [] : findChangedSharedFiles(context, prepared, contents);
}
