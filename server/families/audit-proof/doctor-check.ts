import "server-only";
import { sql } from "drizzle-orm";
import { db } from "@/server/platform/database/database";
import type { Check } from "@/server/platform/extension-points/doctor-checks";
import { oldestWaiting } from "./audit-state";
import { readHead } from "./read-sealed";

const lateMs = 60_000;

/** Tells whether the audit is sealed, and what the owner of the database can still do. */
export const auditCheck: Check = {
  name: "Audit",
  isOffline: false,
  run: async (workspaceId) => {
    const head = await readHead(workspaceId);
    const waiting = await oldestWaiting(workspaceId, head);
    const [now] = await db().execute<{ now: number }>(sql`select (extract(epoch from now()) * 1000)::float8 as now`);
    const lagMs = waiting ? (now?.now ?? 0) - Date.parse(waiting) : 0;
    const guarded =
      "The database refuses UPDATE, DELETE and TRUNCATE of audit rows. Its owner can switch that off, and cut off the end of the audit with its seals: a verification names the first changed row, and a checkpoint kept elsewhere shows a cut.";
    if (lagMs > lateMs) {
      return [
        {
          name: "Audit",
          status: "warning",
          sentence: `Audit rows have waited for their seal for ${Math.round(lagMs / 1_000)} seconds. ${guarded}`,
          wayOut:
            "Look for a transaction in the database that has been open for long: rows are sealed when it ends. Otherwise read the server's log.",
        },
      ];
    }
    const sealed = head ? `${(head.firstPlace + head.rows - 1).toLocaleString("en")} audit rows are sealed.` : "The audit has no rows yet.";
    return [
      {
        name: "Audit",
        status: "ok",
        sentence: `${sealed} ${guarded} Checkpoints kept elsewhere prove that nothing before them was cut off.`,
      },
    ];
  },
};
