import type { Given } from "../with-product";
import { query } from "./sealing";

const rowsAtOnce = 250_000;
const days = 300;

/** Actors, agents, tools and so on of the rows: some in every tenth row, some in one of a hundred thousand. */
export const rare = { actor: "rare-actor", agent: "Rare agent", source: "mcp:rare", tool: "rare_tool", event: "webhook.created" } as const;

/** Adds rows like those of calls to the audit of the only workspace, in the order of their time over the last 300 days. */
export async function fillAudit({ databaseUrl }: Given, rows: number): Promise<void> {
  for (let ago = 0; ago <= days / 28; ago++) await query(databaseUrl, monthAgo(ago));
  for (let made = 0; made < rows; made += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, rows - made);
    await query(
      databaseUrl,
      `insert into audit_events (id, at, workspace_id, event, actor_type, actor_id, actor_name, subject, tool, agent, source, verdict,
         conversation_id, turn_id, call_id, data, moved_at)
       select ${idAt("at")}, at, (select id from workspaces limit 1),
         case when n % 100000 = 0 then '${rare.event}' when n % 50 = 0 then 'tool.updated' when n % 17 = 0 then 'call.denied' else 'call.succeeded' end,
         'api_key', case when n % 100000 = 0 then '${rare.actor}' else 'actor-' || n % 40 end, 'Key ' || n % 40, null,
         case when n % 100000 = 0 then '${rare.tool}' else 'tool_' || n % 60 end,
         case when n % 100000 = 0 then '${rare.agent}' else 'Agent ' || n % 30 end,
         case when n % 100000 = 0 then '${rare.source}' else 'builtin' end,
         case when n % 17 = 0 then 'deny' else 'allow' end, ${idAt("at")}, ${idAt("at")}, ${idAt("at")},
         jsonb_build_object('arguments', jsonb_build_object('path', 'src/file-' || n || '.ts', 'limit', 200),
           'decision', jsonb_build_object('verdict', 'allow', 'reason', 'The default policy allows reading.', 'policyVersion', 12),
           'durationMs', n % 900, 'bytes', n % 70000, 'actionHash', md5(n::text) || md5((n + 1)::text)), now()
       from (select n, now() - (${days}.0 * ${rows} - ${days}.0 * n) / ${rows} * interval '1 day' as at
         from generate_series(${made + 1}, ${made + count}) n) as made`,
    );
  }
  await query(databaseUrl, "vacuum analyze audit_events");
}

/** SQL that makes the partition of a month as the product has made it then. */
function monthAgo(ago: number): string {
  const now = new Date();
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
  const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago + 1, 1));
  const name = `audit_events_${from.toISOString().slice(0, 7).replace("-", "_")}`;
  return `create table if not exists ${name} partition of audit_events for values from ('${from.toISOString()}') to ('${to.toISOString()}')`;
}

/** SQL for an id that begins with a time, as the product's ids do. */
const idAt = (time: string): string =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::int8), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`;
