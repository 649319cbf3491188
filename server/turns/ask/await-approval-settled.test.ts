import { sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { decideApproval } from "@/server/approvals/decide-approval";
import { readApproval } from "@/server/approvals/read-approval";
import type { ApprovalRow } from "@/server/approvals/settlement";
import { db } from "@/server/platform/database/database";
import { signalHere } from "@/server/platform/signals/bus";
import { useSeverableDatabase } from "@/server/testing/severable-database";
import { approverActor, onlyApproval, submitCalls, useStage } from "@/server/testing/stage";
import { awaitApprovalSettled } from "./await-approval-settled";

const stage = useStage();
const database = await useSeverableDatabase();

async function waiting() {
  const turn = await submitCalls(stage, [["change", { text: "it" }]]);
  const approval = await onlyApproval(turn.id);
  const stop = new AbortController();
  const settled = awaitApprovalSettled(approval.id, stop.signal);
  const outcome = settled.then(
    ({ status }) => status,
    (error: Error) => error.message,
  );
  return { approval, stop, outcome };
}

const lookAgain = ({ id, workspaceId, conversationId }: ApprovalRow) =>
  signalHere({ topic: "approval", workspaceId, conversationId, id, event: "approval.voted" });

/** Severs the database until a read of the approval has failed. */
async function severedDuringALook(approval: ApprovalRow, meanwhile: () => void = () => {}): Promise<void> {
  database.sever();
  lookAgain(approval);
  meanwhile();
  for (let looks = 0; looks < 3; looks++) await expect(readApproval(approval.id)).rejects.toThrow();
  database.restore();
  await vi.waitFor(() => readApproval(approval.id));
}

/**
 * Lets Postgres refuse one read of this approval and no other. A view in the table's place does it, because other readers of the
 * process may read other approvals at the same time.
 */
async function failNextRead({ id }: ApprovalRow): Promise<void> {
  await db().execute(
    sql.raw(`
      create sequence refused_reads;
      create function may_be_read(row_id approvals.id%type) returns boolean language plpgsql volatile as $body$
      begin
        if row_id = '${id}' and nextval('refused_reads') = 1 then raise exception 'refused once'; end if;
        return true;
      end $body$;
      alter table approvals rename to approvals_kept;
      create view approvals as select * from approvals_kept where may_be_read(id);`),
  );
}

describe("a tool that waits for an answer", () => {
  test("goes on waiting while the database is away, and gets the answer that is given after it", async () => {
    const { approval, outcome } = await waiting();
    await severedDuringALook(approval);
    expect((await onlyApproval(approval.turnId)).status).toBe("pending");
    await decideApproval(approverActor(stage), approval.id, { decision: "approve", comment: "" });
    expect(await outcome).toBe("approved");
  });

  test("takes its question back when it is stopped while the database is away", async () => {
    const { approval, stop, outcome } = await waiting();
    await severedDuringALook(approval, () => stop.abort(new Error("the call was stopped")));
    await vi.waitFor(async () => expect((await onlyApproval(approval.turnId)).status).toBe("cancelled"));
    expect(await outcome).toMatch(/stopped|aborted/);
  });

  test("leaves no question that can be answered when it ends for another reason", async () => {
    const { approval, outcome } = await waiting();
    await failNextRead(approval);
    lookAgain(approval);
    expect(await outcome).toContain("Failed query");
    expect(await onlyApproval(approval.turnId)).toMatchObject({ status: "void", drift: [expect.stringContaining("ended before")] });
  });
});
