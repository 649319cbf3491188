import type { ApprovalStatus } from "@/contracts/approvals";
import type { ActorRef, JsonObject } from "@/contracts/common";
import { auditColumns, type auditJson, auditNames } from "@/server/audit/audit-columns";
import type { Signal } from "@/server/platform/bus";
import { newId } from "@/server/platform/ids";
import type { StatementText } from "@/server/platform/statement-text";
import type { ApprovalRow } from "./settle-approval";

/** One way out of `pending`, with everything that tells of it. */
export type Settlement = {
  approval: ApprovalRow;
  status: Exclude<ApprovalStatus, "pending" | "void">;
  at: Date;
  actor: ActorRef;
  comment: string;
  vote: "approve" | "reject" | null;
  /** Whether the turn is to go on now. */
  resumes: boolean;
  event: JsonObject;
  audit: ReturnType<typeof auditJson>;
  signals: readonly Signal[];
};

/**
 * Settles approvals; answers the places in the list of those that were still pending, and in time. Turns are locked
 * first and in one order, as everywhere. A person's answer counts before the time is up, expiry after it. All of it is one
 * CASE, so that no plan walks through everything that is pending, which is few rows at one time and many at another.
 */
const text = `
with wanted as materialized (
  select * from jsonb_to_recordset($1::jsonb) as w (place int, id uuid, turn_id uuid, status text, at timestamptz, by jsonb, comment text,
    vote text, vote_id uuid, resumes boolean, event jsonb, audit jsonb, signals jsonb)
), held as materialized (
  select id from turns where id in (select turn_id from wanted) order by id for update
), settled as (
  update approvals set status = w.status, decided_at = w.at, decided_by = w.by, comment = w.comment
  from wanted as w join held on held.id = w.turn_id
  where approvals.id = w.id and case when approvals.status <> 'pending' then false
    when w.status = 'cancelled' then true when w.status = 'expired' then approvals.expires_at <= w.at else approvals.expires_at > w.at end
  returning w.*
), counted as (
  update turns set version = turns.version + 1, event_count = turns.event_count + 1, updated_at = now(),
    answered_at = case when settled.resumes then now() else turns.answered_at end
  from settled where turns.id = settled.turn_id
  returning turns.id, turns.event_count
), journal as (
  insert into turn_events (turn_id, seq, event, data)
  select counted.id, counted.event_count, 'approval.decided', settled.event from settled join counted on counted.id = settled.turn_id
), votes as (
  insert into approval_votes (id, approval_id, actor, decision, comment)
  select vote_id, id, by, vote, comment from settled where vote is not null
), audited as (
  insert into audit_events (at, ${auditNames})
  select now(), a.* from settled, jsonb_to_record(settled.audit) as a (${auditColumns})
)
select place, (select count(pg_notify('handrail', signal)) from jsonb_array_elements_text(signals) as s (signal)) from settled`;

/** The statement for these. */
export function settleStatement(settlements: readonly Settlement[]): StatementText {
  const rows = settlements.map(({ approval, status, at, actor, comment, vote, resumes, event, audit, signals }, place) => ({
    place,
    id: approval.id,
    turn_id: approval.turnId,
    status,
    at,
    by: actor,
    comment,
    vote,
    vote_id: newId(),
    resumes,
    event,
    audit,
    signals: signals.map((signal) => JSON.stringify(signal)),
  }));
  return { text, parameters: [JSON.stringify(rows)] };
}
