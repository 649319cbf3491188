import "server-only";
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { auditArchives, auditEvents } from "@/db/schema";
import { auditRow } from "@/server/audit/record";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import type { Forgetting, RunningErasure, Subject } from "@/server/platform/extension-points/forget-person";
import { newId } from "@/server/platform/ids";
import { auditSources, returnRows } from "../archive/return-rows";
import { leftRoot } from "../format/check-seals";
import { payloadDigest } from "../format/leaf";
import { lockSeals, markLeaves, writeMarked } from "../mark-leaves";
import { type RangeRow, readRows } from "../read-sealed";
import { holdKeepsRow, isNotErased } from "../retention/old-rows";
import { payloadText } from "../row-texts";
import { sealAudit } from "../seal-audit";

/** Rows that one transaction erases at most, with one record. */
const rowsAtOnce = 2_000;
/** Rows that an export reads at once. */
const readAtOnce = 1_000;

const table = "audit events";

/**
 * SQL that selects the ids of audit rows with text of a person. What a member changed or decided for others stays with the name:
 * the audit has to say who did it.
 */
function personalRows({ workspaceId, kind, id, conversations, rows }: Subject, from: SQL): SQL {
  const ids = (condition: SQL) => sql`select e.id from ${from} e where e.workspace_id = ${workspaceId} and ${condition}`;
  const queries = [
    ids(sql`e.conversation_id in (${conversations})`),
    ids(sql`e.conversation_id is null and e.subject = ${id}`),
    ids(sql`e.conversation_id is null and e.subject in (${rows})`),
  ];
  if (kind === "contact") queries.push(ids(sql`e.actor_id = ${id}`));
  if (kind === "member") queries.push(ids(sql`e.actor_id = ${id} and e.event like 'user.sign%'`));
  return sql.join(queries, sql` union `);
}

/** SQL that selects rows of `audit_events as e` whose payload is to go: records of erasures hold nothing of a person. */
const toErase = (
  subject: Subject,
  from = sql`audit_events`,
): SQL => sql`e.workspace_id = ${subject.workspaceId} and e.id in (${personalRows(subject, from)})
  and ${isNotErased} and e.event not like 'audit.%' and e.event not like 'person.%'`;

/** SQL that selects archives that may have rows of a person. */
const archivesOf = ({ id, conversations, rows }: Subject): SQL => sql`(
  array['subject:' || ${id}, 'actor:' || ${id}] && ${auditArchives.names}
  or exists (select from (${conversations}) as own (id) where 'conversation:' || own.id = any(${auditArchives.names}))
  or exists (select from (${rows}) as gone (id) where 'subject:' || gone.id = any(${auditArchives.names})))`;

const sourcesOf = (subject: Subject) => auditSources(subject.workspaceId, archivesOf(subject));

/** The payloads of audit rows. A row keeps its place, its fields and its digest; the chain verifies as before. */
export const auditForgetting: Forgetting = {
  title: "Contents of audit events",
  order: "last",
  refusal: refusalOfHolds,
  count: async (subject) => {
    let count = 0;
    for await (const { from } of sourcesOf(subject)) {
      const [row] = await db().execute<{ rows: number }>(sql`select count(*)::int as rows from ${from} e where ${toErase(subject, from)}`);
      count += row?.rows ?? 0;
    }
    return { [table]: count };
  },
  read: readEvents,
  forget: async (tx, erasure) => {
    await returnRows(erasure.workspaceId, archivesOf(erasure), (from) => toErase(erasure, from));
    const erased = await eraseBatch(tx, erasure);
    return { [table]: erased };
  },
};

async function refusalOfHolds(subject: Subject): Promise<string | null> {
  const found = new Set<string>();
  for await (const { from } of sourcesOf(subject)) {
    const held = await db().execute<{ name: string }>(sql`
      select h.name from audit_holds h where h.workspace_id = ${subject.workspaceId} and (
        (h.kind = 'person' and h.subject = ${subject.id})
        or exists (select from ${from} e where ${toErase(subject, from)} and ${holdKeepsRow}))`);
    for (const { name } of held) found.add(name);
  }
  if (found.size === 0) return null;
  const names = [...found].sort().map((name) => `"${name}"`);
  return `Audit events of this person are held by ${names.join(", ")}. End the hold under Settings, Audit, then erase.`;
}

async function* readEvents(subject: Subject) {
  for await (const { from } of sourcesOf(subject)) yield* readEventsOf(subject, from);
}

async function* readEventsOf(subject: Subject, from: SQL) {
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const rows = await db().execute<{ id: string; row: object }>(sql`
      select e.id, to_jsonb(e) - 'xid' as row from ${from} e
      where ${toErase(subject, from)} and e.id > ${after}::uuid order by e.id limit ${readAtOnce}`);
    for (const { row } of rows) yield { table, row };
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function eraseBatch(tx: Db, erasure: RunningErasure): Promise<number> {
  const { workspaceId } = erasure;
  await lockSeals(tx, workspaceId);
  const rows = await sealedRows(tx, erasure);
  if (rows.length === 0) return 0;
  const recordId = newId();
  const marked = await markLeaves(tx, { workspaceId, rows, state: "erased", recordId });
  const record = { workspaceId, event: "audit.payloads_erased" as const, actor: erasure.by };
  const left = erasedContent(
    erasure,
    rows.map((row) => [row.id, digestOf(row, marked.before.get(row.id)?.salt)]),
  );
  const marks = await digestsLeft(tx, left, marked.before);
  const data = { rows: marked.before.size, root: marked.root, left: leftRoot(marks), erasure: erasure.erasureId };
  await tx.insert(auditEvents).values({ ...auditRow({ ...record, subject: erasure.id, data }), id: recordId });
  await writeMarked(tx, workspaceId, recordId, marked);
  await tx.execute(sql`update audit_events e set actor_name = new.actor_name, subject = new.subject, data = new.data
    from (${left}) as new where e.workspace_id = ${workspaceId} and e.id = new.id`);
  return rows.length;
}

/** A row that no seal covers keeps the digest of its text all the same; a verification names the row. */
const digestOf = ({ payload }: RangeRow, salt: Buffer = Buffer.alloc(16)): string => payloadDigest(payload, salt).toString("hex");

/** SQL that selects what is left of rows: their ids, and the columns of their payload. */
function erasedContent({ workspaceId, id, by }: RunningErasure, digests: readonly [string, string][]): SQL {
  const gone = sql`json_to_recordset(${JSON.stringify(digests.map(([id, digest]) => ({ id, digest })))}::json) as gone (id uuid, digest text)`;
  const erased = sql`jsonb_build_object('erased', jsonb_build_object('digest', gone.digest, 'at', to_jsonb(now()), 'by', ${JSON.stringify({ type: by.type, id: by.id, name: by.name })}::jsonb))`;
  return sql`select e.id, e.xid, case when e.actor_id = ${id} then 'Erased' else e.actor_name end as actor_name, null::text as subject, ${erased} as data
    from audit_events e join ${gone} on e.id = gone.id where e.workspace_id = ${workspaceId}`;
}

/** Returns the digests of what is left of the rows that a seal covers, in the order of the audit. */
async function digestsLeft(tx: Db, left: SQL, sealed: ReadonlyMap<string, unknown>): Promise<Buffer[]> {
  const rows = await tx.execute<{ id: string; digest: Buffer }>(
    sql`select e.id, sha256(convert_to(${payloadText}, 'UTF8')) as digest from (${left}) as e order by e.xid, e.id`,
  );
  return rows.filter(({ id }) => sealed.has(id)).map(({ digest }) => digest);
}

/** Reads rows whose payload is to go. @throws AppError `unavailable` while rows wait for their seal; the work is repeated */
async function sealedRows(tx: Db, erasure: RunningErasure): Promise<RangeRow[]> {
  const isSealed = sql`(e.xid, e.id) <= (select last_xid, last_id from audit_seals where workspace_id = ${erasure.workspaceId} order by number desc limit 1)`;
  const read = () => readRows(sql`${toErase(erasure)} and ${isSealed}`, tx, rowsAtOnce);
  const rows = await read();
  if (rows.length > 0) return rows;
  const [waiting] = await tx.execute(sql`select from audit_events e where ${toErase(erasure)} limit 1`);
  if (!waiting) return [];
  await sealAudit();
  const sealed = await read();
  if (sealed.length > 0) return sealed;
  throw new AppError("unavailable", "Audit events of the person wait for their seal. The erasure goes on when they have it.");
}
