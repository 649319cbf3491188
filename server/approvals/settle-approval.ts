import "server-only";
import type postgres from "postgres";
import type { Db } from "@/db/client";
import { conversationChanged } from "@/server/conversations/find-conversation";
import { db, writerPool } from "@/server/platform/database/database";
import { groupCommit } from "@/server/platform/database/group-commit";
import { retryOnConflict } from "@/server/platform/database/retry-on-conflict";
import { inTransaction } from "@/server/platform/database/statement-text";
import { isEventWanted, publishEvents } from "@/server/platform/extension-points/outbox";
import { processWide } from "@/server/platform/process-wide";
import { signalHere } from "@/server/platform/signals/bus";
import { settleStatement } from "./settle-statement";
import { type ApprovalRow, type End, type Settlement, toSettlement } from "./settlement";

type Settled = {
  place: number;
  status: ApprovalRow["status"];
  decidedAt: string | null;
  decidedBy: ApprovalRow["decidedBy"];
  decidedFrom: ApprovalRow["decidedFrom"];
  approvedBy: string[];
};

/** Settlements in one group commit at most. */
const settledAtOnce = 256;

const commitSettlement = () =>
  processWide("settleApprovals", () =>
    groupCommit<Settlement, Settled | null>(
      async (settlements) => {
        const rounds = roundsOf(settlements);
        const settled = new Map<Settlement, Settled>();
        const writeRounds = async (sql: postgres.ISql) => {
          for (const round of rounds) {
            const { text, parameters } = settleStatement(round);
            for (const row of await sql.unsafe<Settled[]>(text, [...parameters], { prepare: true })) {
              const written = round[row.place];
              if (written) settled.set(written, row);
            }
          }
        };
        // One transaction for all rounds: group commit retries a refused group unit by unit, and a vote that an earlier
        // round had committed would then be rejected as a second vote of the same person.
        await (rounds.length > 1 ? writerPool().begin(writeRounds) : writeRounds(writerPool()));
        return settlements.map((settlement) => settled.get(settlement) ?? null);
      },
      { atMost: settledAtOnce, beside: 1 },
    ),
  );

/** A statement changes a row once, so answers of this moment to the approvals of one turn take a statement each. */
function roundsOf(settlements: readonly Settlement[]): Settlement[][] {
  const rounds: Settlement[][] = [];
  for (let left = settlements; left.length > 0; ) {
    const round = [...new Map(left.toReversed().map((settlement) => [settlement.approval.turnId, settlement])).values()];
    rounds.push(round);
    // Also with a quorum of one, because the first answer may be refused and the next one then counts.
    left = left.filter((settlement) => !round.includes(settlement));
  }
  return rounds;
}

/**
 * Settles an approval with one conditional update, so that exactly one of any number of racing answers counts. Everything
 * that ends or escalates an approval comes through here. The vote, the audit row, the turn events and the turn's
 * `answered_at` are written together or not at all.
 * @param tx the transaction to write in; without one, concurrent settlements are committed together. Voiding
 *   without `resumesTurn` needs one, in which the caller holds the turn's lock
 * @returns the settled row, still pending while the quorum needs more votes; undefined when another answer came first, the
 *   approval has expired, the voter has voted before, or the call cannot run any more
 */
export async function settleApproval(approval: ApprovalRow, end: End, tx?: Db): Promise<ApprovalRow | undefined> {
  // The settlement, with its audit row's id, is made before queueing, so that audit ids sort in the order of the votes.
  const settlement = toSettlement(approval, end, tx === undefined);
  const settled = tx ? await writeIn(tx, settlement) : await write(settlement);
  if (!settled) return undefined;
  const { status, approvedBy, decidedBy, decidedFrom } = settled;
  const decidedAt = settled.decidedAt === null ? null : new Date(settled.decidedAt);
  // The quorum needs more votes, or more people may vote, so nothing is decided yet.
  if (status === "pending") return { ...approval, approvedBy };
  // Drops the cached conversation, so that a rejection counts as a refusal even before the turn resumes.
  conversationChanged(approval.conversationId);
  // Resumes a turn of this process at once, because the signal from Postgres arrives later.
  if (settlement.resumes && !tx) signalHere({ topic: "resume", turnId: approval.turnId });
  const { comment, drift, question } = settlement;
  const changed = { drift: drift ?? approval.drift, question: question ?? approval.question };
  return { ...approval, ...changed, status, decidedAt, decidedBy, decidedFrom, comment, approvedBy };
}

async function write(settlement: Settlement): Promise<Settled | null> {
  const { workspaceId, event } = settlement.published;
  // Only without a caller's transaction: `isEventWanted` may take a connection, and who holds one must not wait for another.
  const isWanted = await isEventWanted(workspaceId, event);
  return retryOnConflict(() => (isWanted ? db().transaction((tx) => writeIn(tx, settlement)) : commitSettlement()(settlement)));
}

async function writeIn(tx: Db, settlement: Settlement): Promise<Settled | null> {
  const [row] = await tx.execute<Settled>(inTransaction(settleStatement([settlement])));
  if (!row) return null;
  if (row.status !== "pending" || settlement.status === "escalated") await publishEvents(tx, [settlement.published]);
  return row;
}
