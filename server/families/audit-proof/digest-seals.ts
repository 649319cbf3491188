import "server-only";
import { sql } from "drizzle-orm";
import { db } from "@/server/platform/database/database";
import type { DigestedSeal } from "./format/check-seals";
import { leafBytes } from "./format/leaf";
import { fieldsText, packedLeaf, payloadText } from "./row-texts";

const milliseconds = (expression: string) => sql.raw(`(extract(epoch from ${expression}) * 1000)::float8`);

/**
 * Lets Postgres digest the rows of a workspace's neighbouring seals as it did when it sealed them, because their texts need not be sent
 * then, and calls that this process serves do not wait. Seals with rows that are changed, moved, archived, removed or erased do not fit.
 * @returns what fits, by the seal's number
 */
export async function digestSeals(workspaceId: string, first: number, last: number): Promise<ReadonlyMap<number, DigestedSeal>> {
  const digested = await db().execute<DigestedSeal & { number: number }>(sql`
select seal.number::float8 as number, part.oldest, part.newest, part.records
from (
  -- One copy in memory: each row takes its random bytes from it.
  select s.number, s.last_xid, s.last_id, s.leaves || ''::bytea as leaves, coalesce(before.last_xid, -1) as after_xid,
    coalesce(before.last_id, '00000000-0000-0000-0000-000000000000') as after_id
  from audit_seals s left join audit_seals before on before.workspace_id = s.workspace_id and before.number = s.number - 1
  where s.workspace_id = ${workspaceId} and s.number between ${first} and ${last}
  offset 0
) seal
cross join lateral (
  select string_agg(${packedLeaf}, ''::bytea order by place) as leaves,
    ${milliseconds("min(at) filter (where moved_at is null)")} as oldest, ${milliseconds("max(at)")} as newest,
    coalesce(json_agg(json_build_object('id', id, 'fields', fields, 'payload', payload)) filter (where event like 'audit.%'), '[]') as records
  from (
    select e.id, e.at, e.moved_at, e.event, e.place, ${fieldsText} as fields, ${payloadText} as payload,
      substring(seal.leaves from (e.place::int - 1) * ${sql.raw(String(leafBytes))} + 18 for 16) as salt
    from (
      select *, row_number() over (order by xid, id) as place from audit_events
      where workspace_id = ${workspaceId} and (xid, id) > (seal.after_xid, seal.after_id) and (xid, id) <= (seal.last_xid, seal.last_id)
    ) e
    offset 0
  ) as one
) part
where part.leaves = seal.leaves`);
  return new Map(digested.map(({ number, ...seal }) => [number, seal]));
}
