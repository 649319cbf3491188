import "server-only";
import { eq, sql } from "drizzle-orm";
import { approvals } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { processWide } from "@/server/platform/process-wide";
import type { ApprovalRow } from "./settlement";

/** Prepared once, because building the SQL text costs more than the query and every decision reads the row. */
const query = () =>
  processWide("query.readApproval", () =>
    db()
      .select()
      .from(approvals)
      .where(eq(approvals.id, sql.placeholder("id")))
      .prepare("read_approval"),
  );

/** Reads an approval's row from any workspace; the caller checks the workspace. */
export async function readApproval(id: string): Promise<ApprovalRow | undefined> {
  const [approval] = await query().execute({ id });
  return approval;
}
