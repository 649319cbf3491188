import { auditColumns, type auditJson, auditNames } from "@/server/audit/audit-columns";
import { keepArguments } from "@/server/audit/kept-arguments";
import type { StatementText } from "@/server/platform/database/statement-text";
import { isFinal, type JournalEntry, type NewArtifact, type StoredPart } from "../live-turn";
import type { CallRow, TurnRow } from "../read/present-turn";

/** The changes of one turn that a statement writes. */
export type Change = {
  turn: TurnRow;
  /** State that the row must still have; null for a new turn. */
  before: StoredPart | null;
  calls: readonly CallRow[];
  journal: readonly JournalEntry[];
  audit: readonly ReturnType<typeof auditJson>[];
  /** Audit rows that the audit cannot take now. */
  backlog: readonly ReturnType<typeof auditJson>[];
  artifacts: readonly NewArtifact[];
};

/** Columns of `tool_calls` that a change may write, with their types. */
const callColumns = `name text, arguments jsonb, raw_arguments text, sealed_arguments text, sealed_meta text, status text, is_error boolean, content text, content_parts jsonb,
  structured_content jsonb, truncated jsonb, direct_content text, decision jsonb, hooks jsonb, approval_id uuid, job_id uuid, waits_for text, delivered_at timestamptz, started_by uuid,
  duration_ms int, started_at timestamptz, finished_at timestamptz`;
const newCallColumns = `id uuid, workspace_id uuid, turn_id uuid, position int, runtime_id text, requested_name text, carried_by text,
  created_at timestamptz, ${callColumns}`;
const namesOf = (columns: string) => columns.replaceAll(/(\w+) \w+/g, "$1");

/**
 * Parts of the statement, each a CTE over an array of rows. Every row of a turn depends on the turn's row, which must
 * be inserted, or updated from the version that its writer saw.
 */
const parts = {
  added: (rows: string) => `
  insert into turns (id, workspace_id, conversation_id, status, idempotency_key, request_digest, requested_by, claimed_by,
    callback_url, machine, event_count, finished_at, created_at, updated_at)
  select id, workspace_id, conversation_id, status, idempotency_key, request_digest, requested_by, claimed_by,
    callback_url, machine, event_count, finished_at, created_at, now()
  from jsonb_to_recordset(${rows}) as n (id uuid, workspace_id uuid, conversation_id uuid, status text, idempotency_key text,
    request_digest text, requested_by jsonb, claimed_by uuid, callback_url text, machine jsonb, event_count int, finished_at timestamptz,
    created_at timestamptz)
  on conflict do nothing
  returning id, workspace_id, 0 as events_before`,
  /** Locks turns in the order of their ids, because an update of many locks its rows in any order. */
  locked: (rows: string) => `
  select turns.id from jsonb_to_recordset(${rows}) as c (id uuid) join turns on turns.id = c.id order by turns.id for update of turns`,
  changed: (rows: string, isMany: boolean) => `
  update turns set status = c.status, claimed_by = c.claimed_by, finished_at = c.finished_at, version = turns.version + 1, answered_at = null,
    cancel_requested_at = c.cancel_requested_at, event_count = turns.event_count + c.events, updated_at = now()
  from jsonb_to_recordset(${rows}) as c (id uuid, status text, claimed_by uuid, finished_at timestamptz,
    cancel_requested_at timestamptz, events int, version_before int)${isMany ? " join locked on locked.id = c.id" : ""}
  where turns.id = c.id and turns.version = c.version_before
  returning turns.id, turns.workspace_id, turns.event_count - c.events as events_before`,
  calls_added: (rows: string) => `
  insert into tool_calls (${namesOf(newCallColumns)})
  select ${namesOf(newCallColumns)} from jsonb_to_recordset(${rows}) as n (${newCallColumns})
  where n.turn_id in (select id from added)`,
  calls_changed: (rows: string) => `
  update tool_calls set (${namesOf(callColumns)}) = row(${namesOf(callColumns).replaceAll(/\w+/g, "c.$&")})
  from jsonb_to_recordset(${rows}) as c (id uuid, turn_id uuid, ${callColumns})
  where tool_calls.id = c.id and c.turn_id in (select id from changed)`,
  journal: (rows: string) => `
  insert into turn_events (turn_id, seq, event, data, created_at)
  select j.turn_id, held.events_before + j.place, j.event, j.data, j.at
  from jsonb_to_recordset(${rows}) as j (turn_id uuid, place int, event text, data jsonb, at timestamptz)
  join held on held.id = j.turn_id`,
  audited: (rows: string) => `
  insert into audit_events (at, ${auditNames})
  select now(), ${auditNames} from jsonb_to_recordset(${rows}) as a (${auditColumns})
  where a.turn_id in (select id from held)`,
  owed: (rows: string) => `
  insert into audit_backlog (id, at, workspace_id, entry)
  select (o->>'id')::uuid, now(), (o->>'workspace_id')::uuid, o from jsonb_array_elements(${rows}) as o
  where (o->>'turn_id')::uuid in (select id from held)`,
  kept: (rows: string) => `
  insert into artifacts (id, workspace_id, conversation_id, call_id, name, media_type, bytes, sha256, created_at)
  select k.id, k.workspace_id, k.conversation_id, k.call_id, k.name, k.media_type, k.bytes, k.sha256, now()
  from jsonb_to_recordset(${rows}) as k (turn_id uuid, id uuid, workspace_id uuid, conversation_id uuid, call_id uuid, name text,
    media_type text, bytes int, sha256 text)
  where k.turn_id in (select id from held)`,
};

/**
 * Builds the statement that writes changes of many turns at once. The statement returns the ids of the turns whose
 * rows were as expected, each with its workspace's config version. Parts without rows are left out, so that about a
 * dozen texts recur and none plans or runs unneeded parts.
 */
export function saveStatement(changes: readonly Change[]): StatementText {
  // Ordered, because writers that lock turns or idempotency keys in different orders wait for each other.
  const ordered = changes.length > 1 ? changes.toSorted((a, b) => (lockOrderOf(a) < lockOrderOf(b) ? -1 : 1)) : changes;
  const added = ordered.filter(({ before }) => before === null);
  const changed = ordered.filter(({ before }) => before !== null);
  const isMany = changed.length > 1;
  const parameters: string[] = [];
  const present = (all: Partial<Record<keyof typeof parts, readonly unknown[]>>): string[] =>
    Object.entries(all).flatMap(([name, rows]) => {
      if (rows.length === 0) return [];
      parameters.push(JSON.stringify(rows));
      return [`${name} as (${parts[name as keyof typeof parts](`$${parameters.length}::jsonb`, isMany)})`];
    });
  const turns = present({
    added: added.map(newTurnRow),
    locked: isMany ? changed.map(({ turn }) => ({ id: turn.id })) : [],
    changed: changed.map(changedTurnRow),
  });
  const held = ["added", "changed"].filter((_, place) => (place === 0 ? added : changed).length > 0);
  const rest = present({
    calls_added: added.flatMap(({ calls }) => calls.map(callRow)),
    calls_changed: changed.flatMap(({ calls }) => calls.map(callRow)),
    journal: ordered.flatMap(journalRows),
    audited: ordered.flatMap(({ audit }) => audit),
    owed: ordered.flatMap(({ backlog }) => backlog),
    kept: ordered.flatMap(({ turn, artifacts }) => artifacts.map((artifact) => artifactRow(turn, artifact))),
  });
  const union = held.map((name) => `select id, workspace_id, events_before from ${name}`).join(" union all ");
  const text = `with ${[...turns, `held as (${union})`, ...rest].join(", ")}
select held.id, workspaces.config_version from held join workspaces on workspaces.id = held.workspace_id`;
  return { text, parameters };
}

/** A stored turn is locked by its id; a new turn waits for others under the same idempotency key. */
function lockOrderOf({ turn, before }: Change): string {
  return before === null && turn.idempotencyKey !== null ? `${turn.conversationId} ${turn.idempotencyKey}` : turn.id;
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
    machine: turn.machine,
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
    version_before: before?.version,
  };
}

function callRow(call: CallRow) {
  const kept = keepArguments(call, { isOver: isFinal(call) });
  return {
    id: call.id,
    workspace_id: call.workspaceId,
    turn_id: call.turnId,
    position: call.position,
    runtime_id: call.runtimeId,
    requested_name: call.requestedName,
    carried_by: call.carriedBy,
    name: call.name,
    arguments: kept.arguments,
    raw_arguments: kept.rawArguments,
    sealed_arguments: kept.sealedArguments,
    sealed_meta: isFinal(call) ? null : call.sealedMeta,
    status: call.status,
    is_error: call.isError,
    content: call.content,
    content_parts: call.contentParts,
    structured_content: call.structuredContent,
    truncated: call.truncated,
    direct_content: call.directContent,
    decision: call.decision,
    hooks: call.hooks,
    approval_id: call.approvalId,
    job_id: call.jobId,
    waits_for: call.waitsFor,
    delivered_at: call.deliveredAt,
    started_by: call.startedBy,
    duration_ms: call.durationMs,
    started_at: call.startedAt,
    finished_at: call.finishedAt,
    created_at: call.createdAt,
  };
}

function journalRows({ turn, journal }: Change) {
  return journal.map(({ event, data, at }, index) => ({ turn_id: turn.id, place: index + 1, event, data, at }));
}

function artifactRow(turn: TurnRow, row: NewArtifact) {
  return {
    turn_id: turn.id,
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
