import { sql } from "drizzle-orm";

/**
 * SQL for the texts of a row of `audit_events as e` that its digest covers. docs/audit.md describes them; a change makes
 * every sealed row read as changed.
 */
export const fieldsText =
  sql.raw(`json_build_object('id', e.id, 'at', (extract(epoch from e.at) * 1000)::int8, 'workspaceId', e.workspace_id,
  'event', e.event, 'actorType', e.actor_type, 'actorId', e.actor_id, 'tool', e.tool, 'agent', e.agent, 'source', e.source,
  'verdict', e.verdict, 'conversationId', e.conversation_id, 'turnId', e.turn_id, 'callId', e.call_id, 'requestId', e.request_id,
  'movedAt', (extract(epoch from e.moved_at) * 1000)::int8)::text`);

export const payloadText = sql.raw("json_build_object('actorName', e.actor_name, 'subject', e.subject, 'data', e.data)::text");

/** SQL for the packed leaf of a row whose texts are the columns `fields` and `payload`, and whose random bytes are `salt`. */
export const packedLeaf = sql.raw(`'\\x00'::bytea || uuid_send(id) || salt
  || sha256('\\x00'::bytea || sha256(salt || convert_to(payload, 'UTF8')) || convert_to(fields, 'UTF8'))`);
