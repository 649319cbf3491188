import { auditColumns, auditNames } from "@/server/audit/audit-columns";
import type { StatementText } from "@/server/platform/database/statement-text";
import { newId } from "@/server/platform/ids";
import type { Signal } from "@/server/platform/signals/bus";
import type { Settlement } from "./settlement";
import { toolSourceText } from "./tool-source";

/**
 * Whether the call can still run: its tool exists, is enabled and not quarantined, its MCP server is enabled, and the requesting API key is
 * neither revoked nor expired. Approving any other call would fail silently.
 */
const canRun = `((exists (select from turns where turns.id = approvals.turn_id and turns.machine is not null) or exists (select from tools left join mcp_servers on mcp_servers.id = tools.mcp_server_id
      where tools.workspace_id = approvals.workspace_id and tools.name = approvals.tool_name and tools.enabled and tools.quarantine is null and coalesce(mcp_servers.enabled, true)))
      and (approvals.requested_by ->> 'type' <> 'api_key' or exists (select from api_keys where api_keys.id = (approvals.requested_by ->> 'id')::uuid
        and api_keys.revoked_at is null and coalesce(api_keys.expires_at > clock_timestamp(), true))))`;

/** Whether the approval stays pending: more votes are needed, or it is only escalated. */
const staysPending = `(w.status = 'escalated' or (w.status = 'approved' and cardinality(approvals.approved_by) + 1 < approvals.quorum_needed))`;

/** Whether this is a vote that leaves the approval pending. */
const isOpenVote = "(vote is not null and now_status = 'pending')";

/**
 * SQL that settles approvals and returns one row, with its `place` in the list, for each approval that it settled.
 * - Turns are locked before approvals and in the order of their ids, as everywhere, so that statements cannot deadlock.
 * - All times are the database's, because replicas' clocks differ. A person's answer counts before `expires_at`, an expiry
 *   from then on.
 * - Votes are counted on the locked row, so that racing votes are all counted.
 * - The condition is one CASE, so that the planner finds approvals by id. A plain condition on `status` would invite a scan
 *   of all pending approvals, whose number varies too much for the planner's estimate.
 */
const text = `
with wanted as materialized (
  select * from jsonb_to_recordset($1::jsonb) as w (place int, id uuid, turn_id uuid, status text, by jsonb, decided_from jsonb, comment text,
    vote text, vote_id uuid, voter_id text, drift jsonb, question jsonb, resumes boolean, keeps_version boolean, events jsonb, audit jsonb,
    signals jsonb, vote_signals jsonb)
), held as materialized (
  select id from turns where id in (select turn_id from wanted) order by id for update
), settled as (
  update approvals set status = case when ${staysPending} then 'pending' else w.status end,
    decided_at = case when ${staysPending} then null else coalesce(approvals.decided_at, clock_timestamp()) end,
    decided_by = case when ${staysPending} then null else coalesce(approvals.decided_by, w.by) end,
    decided_from = case when ${staysPending} then null else coalesce(approvals.decided_from, w.decided_from) end,
    comment = case when ${staysPending} then '' else w.comment end,
    approved_by = case when w.vote = 'approve' then array_append(approvals.approved_by, w.voter_id) else approvals.approved_by end,
    drift = coalesce(w.drift, approvals.drift), question = coalesce(w.question, approvals.question),
    escalated_at = case when w.status = 'escalated' then clock_timestamp() else approvals.escalated_at end
  from wanted as w join held on held.id = w.turn_id
  where approvals.id = w.id and case
    when w.status = 'void' then approvals.status = 'pending' or (approvals.status = 'approved' and not w.resumes)
    when approvals.status <> 'pending' then false
    when w.status = 'escalated' then approvals.escalated_at is null and coalesce(approvals.escalates_at <= clock_timestamp(), false)
    when w.status = 'cancelled' then true when w.status = 'expired' then approvals.expires_at <= clock_timestamp()
    when approvals.expires_at <= clock_timestamp() or w.voter_id = any(approvals.approved_by) or w.by ->> 'id' = any(approvals.approved_by) then false
    when w.status = 'approved' then ${canRun} else true end
  returning w.*, approvals.status as now_status, approvals.decided_at, approvals.decided_by, approvals.decided_from as kept_from, approvals.approved_by as voters,
    ${toolSourceText} as tool_source
), decided as (
  select *, jsonb_array_length(events) as told from settled where now_status <> 'pending'
), counted as (
  update turns set version = turns.version + case when decided.keeps_version then 0 else 1 end, event_count = turns.event_count + decided.told,
    updated_at = now(), answered_at = case when decided.resumes then now() else turns.answered_at end
  from decided where turns.id = decided.turn_id
  returning turns.id, turns.event_count
), journal as (
  insert into turn_events (turn_id, seq, event, data)
  select counted.id, counted.event_count - decided.told + entry.place, entry.value ->> 'event', entry.value -> 'data'
  from decided join counted on counted.id = decided.turn_id, jsonb_array_elements(decided.events) with ordinality as entry (value, place)
), votes as (
  insert into approval_votes (id, approval_id, actor, decision, comment)
  select vote_id, id, by, vote, comment from settled where vote is not null
), audited as (
  insert into audit_events (at, ${auditNames})
  select now(), a.* from settled,
    jsonb_to_record(settled.audit || case when tool_source is null then '{}' else jsonb_build_object('source', tool_source) end
      || case when ${isOpenVote} then '{"event": "approval.voted"}'::jsonb else '{}' end) as a (${auditColumns})
)
select place, now_status as status, decided_at as "decidedAt", decided_by as "decidedBy", kept_from as "decidedFrom", voters as "approvedBy",
  (select count(pg_notify('handrail', signal)) from jsonb_array_elements_text(case when ${isOpenVote} then vote_signals else signals end) as s (signal))
from settled`;

/** Returns the statement that settles the given approvals. */
export function settleStatement(settlements: readonly Settlement[]): StatementText {
  const rows = settlements.map(
    ({ approval, status, actor, from, comment, vote, voterId, drift, question, resumes, keepsVersion, events, audit, signals }, place) => ({
      place,
      id: approval.id,
      turn_id: approval.turnId,
      status,
      by: actor,
      ...(from ? { decided_from: from } : {}),
      comment,
      vote,
      vote_id: newId(),
      voter_id: voterId,
      ...(drift ? { drift } : {}),
      ...(question ? { question } : {}),
      resumes,
      keeps_version: keepsVersion,
      events,
      audit,
      signals: signals.map((signal) => JSON.stringify(signal)),
      vote_signals: voteSignals(signals),
    }),
  );
  return { text, parameters: [JSON.stringify(rows)] };
}

/** Returns the signals of a vote that leaves the approval pending: `approval.voted`, and nothing that resumes the turn. */
function voteSignals(signals: readonly Signal[]): string[] {
  return signals.flatMap((signal) => (signal.topic === "approval" ? JSON.stringify({ ...signal, event: "approval.voted" }) : []));
}
