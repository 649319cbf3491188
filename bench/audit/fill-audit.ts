import type { Given } from "../with-product";
import { query } from "./sealing";

const rowsAtOnce = 250_000;

/** Actors, agents, tools and so on of the rows: some in every tenth row, some in one of a hundred thousand. */
export const rare = { actor: "rare-actor", agent: "Rare agent", source: "mcp:rare", tool: "rare_tool", event: "webhook.created" } as const;

/** Adds rows like those of calls to the audit of the only workspace, over the last 300 days. */
export async function fillAudit({ databaseUrl }: Given, rows: number): Promise<void> {
  for (let made = 0; made < rows; made += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, rows - made);
    await query(
      databaseUrl,
      `insert into audit_events (id, at, workspace_id, event, actor_type, actor_id, actor_name, subject, tool, agent, source, verdict,
         conversation_id, turn_id, call_id, data, moved_at)
       select gen_random_uuid(), now() - (random() * 300) * interval '1 day', (select id from workspaces limit 1),
         case when n % 100000 = 0 then '${rare.event}' when n % 50 = 0 then 'tool.updated' when n % 17 = 0 then 'call.denied' else 'call.succeeded' end,
         'api_key', case when n % 100000 = 0 then '${rare.actor}' else 'actor-' || n % 40 end, 'Key ' || n % 40, null,
         case when n % 100000 = 0 then '${rare.tool}' else 'tool_' || n % 60 end,
         case when n % 100000 = 0 then '${rare.agent}' else 'Agent ' || n % 30 end,
         case when n % 100000 = 0 then '${rare.source}' else 'builtin' end,
         case when n % 17 = 0 then 'deny' else 'allow' end, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
         jsonb_build_object('arguments', jsonb_build_object('path', 'src/file-' || n || '.ts', 'limit', 200),
           'decision', jsonb_build_object('verdict', 'allow', 'reason', 'The default policy allows reading.', 'policyVersion', 12),
           'durationMs', n % 900, 'bytes', n % 70000, 'actionHash', md5(n::text) || md5((n + 1)::text)), now()
       from generate_series(${made + 1}, ${made + count}) n`,
    );
  }
  await query(databaseUrl, "vacuum analyze audit_events");
}
