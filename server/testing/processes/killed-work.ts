/** Works on the audit or on an erasure until somebody kills the process; a program of its own, started by a test. */

import { sql } from "drizzle-orm";
import { archiveOldAudit } from "@/server/families/audit-proof/archive/archive-old-audit";
import { removeOldAudit } from "@/server/families/audit-proof/retention/remove-old-audit";
import { sealAudit } from "@/server/families/audit-proof/seal-audit";
import { erasePerson } from "@/server/families/erasure/erase-person";
import { provideFamilies } from "@/server/families/provide-families";
import { db } from "@/server/platform/database/database";
import { provideEngine } from "@/server/platform/queue";

const [work = "", erasureId = ""] = process.argv.slice(2);
provideFamilies();
provideEngine({ insert: async () => {} });
await db().execute(sql`select 1`);
console.log("ready");
if (work === "seal") await sealAudit();
else if (work === "retain") await removeOldAudit();
else if (work === "archive") await archiveOldAudit();
else await erasePerson({ erasureId });
console.log("finished");
process.exit(0);
