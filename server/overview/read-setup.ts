import "server-only";
import { sql } from "drizzle-orm";
import type { Overview } from "@/contracts/operations/overview";
import { db } from "@/server/platform/database/database";

/** Number of newest turns that are searched for one that no user submitted. */
const turnsLookedAt = 1_000;

type Row = { call_approved: boolean; agent_connected: boolean; server_added: boolean; rule_written: boolean };

/** Reads which first steps are done. Version 1 of the rules does not count, because the first start writes it. */
export async function readSetup(workspaceId: string): Promise<Overview["setup"]> {
  const [row] = await db().execute<Row>(sql`
    select
      exists (select from approvals where workspace_id = ${workspaceId} and status = 'approved') as call_approved,
      exists (
        select from (select requested_by from turns where workspace_id = ${workspaceId} order by id desc limit ${turnsLookedAt}) as turn
        where requested_by ->> 'type' <> 'user'
      ) as agent_connected,
      exists (select from mcp_servers where workspace_id = ${workspaceId}) as server_added,
      exists (select from guard_versions where workspace_id = ${workspaceId} and version > 1) as rule_written`);
  return {
    callApproved: row?.call_approved ?? false,
    agentConnected: row?.agent_connected ?? false,
    serverAdded: row?.server_added ?? false,
    ruleWritten: row?.rule_written ?? false,
  };
}
