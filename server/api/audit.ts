import { auditEndpoints } from "@/contracts/audit/audit";
import { exportAuditEvents } from "@/server/audit-log/export-audit-events";
import { listAuditEvents } from "@/server/audit-log/list-audit-events";
import { answer } from "@/server/endpoints/answer";

const mediaTypes = { csv: "text/csv; charset=utf-8; header=present", ndjson: "application/x-ndjson" };

export const auditAnswers = answer(auditEndpoints, {
  list: ({ actor, query }) => listAuditEvents(actor, query),
  export: async ({ actor, query: { format, ...filter } }) => {
    const day = new Date().toISOString().slice(0, 10);
    return new Response(await exportAuditEvents(actor, filter, format), {
      headers: {
        "content-type": mediaTypes[format],
        "content-disposition": `attachment; filename="audit-${day}.${format}"`,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      },
    });
  },
});
