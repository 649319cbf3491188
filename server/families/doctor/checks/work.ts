import { sql } from "drizzle-orm";
import { visibleTo, workItems } from "@/server/jobs/work-items";
import { db } from "@/server/platform/database/database";
import type { Check } from "@/server/platform/extension-points/doctor-checks";

export const workCheck: Check = {
  name: "Durable work",
  isOffline: false,
  run: async (workspaceId) => {
    const [row] = await db().execute<{ failed: number }>(
      sql`select count(*)::int as failed from ${workItems} as item where ${visibleTo(workspaceId)} and state = 'failed'`,
    );
    const failed = row?.failed ?? 0;
    if (failed === 0) return [{ name: "Durable work", status: "ok", sentence: "No work item has failed." }];
    return [
      {
        name: "Durable work",
        status: "warning",
        sentence: failed === 1 ? "1 work item failed after its last attempt." : `${failed} work items failed after their last attempt.`,
        wayOut: "Retry or discard them.",
        link: { label: "Durable work", path: "/settings#work" },
      },
    ];
  },
};
