import type { CallStatus } from "@/contracts/turns";
import type { auditRow } from "@/server/audit/record";
import type { JournalEntry, NewArtifact, StoredPart } from "./live-turn";
import type { CallRow, TurnRow } from "./present-turn";

/** What is written of one turn. */
export type Change = {
  turn: TurnRow;
  /** What the row must still say; null for a turn that is new. */
  before: StoredPart | null;
  calls: readonly CallRow[];
  /** What each changed call's row must still say. */
  statusBefore: (callId: string) => CallStatus;
  journal: readonly JournalEntry[];
  audit: readonly (ReturnType<typeof auditRow> & { id: string })[];
  artifacts: readonly NewArtifact[];
};

const newCallColumns = `id uuid, workspace_id uuid, turn_id uuid, position int, runtime_id text, requested_name text, name text,
  arguments jsonb, raw_arguments text, status text, is_error boolean, content text, content_parts jsonb, structured_content jsonb,
  truncated jsonb, direct_content text, decision jsonb, approval_id uuid, job_id uuid, started_by uuid, duration_ms int,
  started_at timestamptz, finished_at timestamptz, created_at timestamptz`;

/**
 * Writes changes of many turns at once; answers the ids of those whose rows were as expected, each with its workspace's
 * config version. Everything of a turn hangs
 * on its row (inserted, or updated under its old state), and what is told of a call (journal, audit) on the call's.
 * Parameters are JSON arrays of rows: new turns, changed turns, new calls, changed calls, journal, audit, artifacts.
 */
export const saveStatement = `
with added as (
  insert into turns (id, workspace_id, conversation_id, status, idempotency_key, request_digest, requested_by, claimed_by,
    callback_url, event_count, finished_at, created_at, updated_at)
  select id, workspace_id, conversation_id, status, idempotency_key, request_digest, requested_by, claimed_by,
    callback_url, event_count, finished_at, created_at, now()
  from jsonb_to_recordset($1::jsonb) as n (id uuid, workspace_id uuid, conversation_id uuid, status text, idempotency_key text,
    request_digest text, requested_by jsonb, claimed_by uuid, callback_url text, event_count int, finished_at timestamptz,
    created_at timestamptz)
  on conflict do nothing
  returning id, workspace_id
), calls_to_change as (
  select * from jsonb_to_recordset($4::jsonb) as c (id uuid, turn_id uuid, status text, name text, arguments jsonb, raw_arguments text,
    is_error boolean, content text, content_parts jsonb, structured_content jsonb, truncated jsonb, direct_content text,
    decision jsonb, approval_id uuid, job_id uuid, started_by uuid, duration_ms int, started_at timestamptz,
    finished_at timestamptz, status_before text)
), changed as (
  update turns set status = c.status, claimed_by = c.claimed_by, finished_at = c.finished_at,
    cancel_requested_at = c.cancel_requested_at, event_count = turns.event_count + c.events, updated_at = now()
  from jsonb_to_recordset($2::jsonb) as c (id uuid, status text, claimed_by uuid, finished_at timestamptz,
    cancel_requested_at timestamptz, events int, status_before text, claimed_before uuid, cancelled_before boolean)
  where turns.id = c.id and turns.status = c.status_before and turns.claimed_by is not distinct from c.claimed_before
    and (turns.cancel_requested_at is not null) = c.cancelled_before
    and turns.id not in (
      select c.turn_id from calls_to_change as c join tool_calls on tool_calls.id = c.id where tool_calls.status <> c.status_before
    )
  returning turns.id, turns.workspace_id, turns.event_count - c.events as events_before
), held as (
  select id, workspace_id, 0 as events_before from added union all select id, workspace_id, events_before from changed
), calls_added as (
  insert into tool_calls (id, workspace_id, turn_id, position, runtime_id, requested_name, name, arguments, raw_arguments, status,
    is_error, content, content_parts, structured_content, truncated, direct_content, decision, approval_id, job_id, started_by,
    duration_ms, started_at, finished_at, created_at)
  select n.* from jsonb_to_recordset($3::jsonb) as n (${newCallColumns})
  where n.turn_id in (select id from added)
  returning id
), calls_changed as (
  update tool_calls set status = c.status, name = c.name, arguments = c.arguments, raw_arguments = c.raw_arguments,
    is_error = c.is_error, content = c.content, content_parts = c.content_parts, structured_content = c.structured_content,
    truncated = c.truncated, direct_content = c.direct_content, decision = c.decision, approval_id = c.approval_id, job_id = c.job_id,
    started_by = c.started_by, duration_ms = c.duration_ms, started_at = c.started_at, finished_at = c.finished_at
  from calls_to_change as c
  where tool_calls.id = c.id and tool_calls.status = c.status_before and c.turn_id in (select id from changed)
  returning tool_calls.id
), told as (
  select id from calls_added union all select id from calls_changed
), journal as (
  insert into turn_events (turn_id, seq, event, data, created_at)
  select j.turn_id, held.events_before + j.place, j.event, j.data, j.at
  from jsonb_to_recordset($5::jsonb) as j (turn_id uuid, place int, event text, data jsonb, at timestamptz, call_id uuid)
  join held on held.id = j.turn_id
  where j.call_id is null or j.call_id in (select id from told)
), audited as (
  insert into audit_events (id, at, workspace_id, event, actor_type, actor_id, actor_name, subject, tool, verdict,
    conversation_id, turn_id, call_id, data, request_id)
  select a.id, now(), a.workspace_id, a.event, a.actor_type, a.actor_id, a.actor_name, a.subject, a.tool, a.verdict,
    a.conversation_id, a.turn_id, a.call_id, a.data, a.request_id
  from jsonb_to_recordset($6::jsonb) as a (id uuid, workspace_id uuid, event text, actor_type text, actor_id text, actor_name text,
    subject text, tool text, verdict text, conversation_id uuid, turn_id uuid, call_id uuid, data jsonb, request_id text)
  where a.turn_id in (select id from held) and (a.call_id is null or a.call_id in (select id from told))
), kept as (
  insert into artifacts (id, workspace_id, conversation_id, call_id, name, media_type, bytes, sha256, created_at)
  select k.id, k.workspace_id, k.conversation_id, k.call_id, k.name, k.media_type, k.bytes, k.sha256, now()
  from jsonb_to_recordset($7::jsonb) as k (id uuid, workspace_id uuid, conversation_id uuid, call_id uuid, name text,
    media_type text, bytes int, sha256 text)
  where k.call_id in (select id from told)
)
select held.id, workspaces.config_version from held join workspaces on workspaces.id = held.workspace_id`;

/** The parameters of the statement. Turns come in the order of their ids, so that two writers never wait for each other. */
export function changeParameters(changes: readonly Change[]): (string | null)[] {
  const ordered = changes.length > 1 ? changes.toSorted((a, b) => (a.turn.id < b.turn.id ? -1 : 1)) : changes;
  const added = ordered.filter(({ before }) => before === null);
  const changed = ordered.filter(({ before }) => before !== null);
  return [
    rows(added.map(newTurnRow)),
    rows(changed.map(changedTurnRow)),
    rows(added.flatMap(({ calls }) => calls.map(callRow))),
    rows(changed.flatMap(({ calls, statusBefore }) => calls.map((call) => ({ ...callRow(call), status_before: statusBefore(call.id) })))),
    rows(ordered.flatMap(journalRows)),
    rows(ordered.flatMap(({ audit }) => audit.map(auditColumns))),
    rows(ordered.flatMap(({ artifacts }) => artifacts.map(artifactRow))),
  ];
}

/** No rows are no array at all: less to send, to parse and to plan. */
function rows(all: readonly unknown[]): string | null {
  return all.length === 0 ? null : JSON.stringify(all);
}

function newTurnRow({ turn, journal }: Change) {
  return {
    id: turn.id,
    workspace_id: turn.workspaceId,
    conversation_id: turn.conversationId,
    status: turn.status,
    idempotency_key: turn.idempotencyKey,
    request_digest: turn.requestDigest,
    requested_by: turn.requestedBy,
    claimed_by: turn.claimedBy,
    callback_url: turn.callbackUrl,
    event_count: journal.length,
    finished_at: turn.finishedAt,
    created_at: turn.createdAt,
  };
}

function changedTurnRow({ turn, before, journal }: Change) {
  return {
    id: turn.id,
    status: turn.status,
    claimed_by: turn.claimedBy,
    finished_at: turn.finishedAt,
    cancel_requested_at: turn.cancelRequestedAt,
    events: journal.length,
    status_before: before?.status,
    claimed_before: before?.claimedBy,
    cancelled_before: Boolean(before?.cancelRequestedAt),
  };
}

function callRow(call: CallRow) {
  return {
    id: call.id,
    workspace_id: call.workspaceId,
    turn_id: call.turnId,
    position: call.position,
    runtime_id: call.runtimeId,
    requested_name: call.requestedName,
    name: call.name,
    arguments: call.arguments,
    raw_arguments: call.rawArguments,
    status: call.status,
    is_error: call.isError,
    content: call.content,
    content_parts: call.contentParts,
    structured_content: call.structuredContent,
    truncated: call.truncated,
    direct_content: call.directContent,
    decision: call.decision,
    approval_id: call.approvalId,
    job_id: call.jobId,
    started_by: call.startedBy,
    duration_ms: call.durationMs,
    started_at: call.startedAt,
    finished_at: call.finishedAt,
    created_at: call.createdAt,
  };
}

function journalRows({ turn, journal }: Change) {
  return journal.map(({ event, data, at, callId }, index) => ({ turn_id: turn.id, place: index + 1, event, data, at, call_id: callId }));
}

function auditColumns(row: Change["audit"][number]) {
  return {
    id: row.id,
    workspace_id: row.workspaceId,
    event: row.event,
    actor_type: row.actorType,
    actor_id: row.actorId,
    actor_name: row.actorName,
    subject: row.subject,
    tool: row.tool,
    verdict: row.verdict,
    conversation_id: row.conversationId,
    turn_id: row.turnId,
    call_id: row.callId,
    data: row.data,
    request_id: row.requestId,
  };
}

function artifactRow(row: NewArtifact) {
  return {
    id: row.id,
    workspace_id: row.workspaceId,
    conversation_id: row.conversationId,
    call_id: row.callId,
    name: row.name,
    media_type: row.mediaType,
    bytes: row.bytes,
    sha256: row.sha256,
  };
}
