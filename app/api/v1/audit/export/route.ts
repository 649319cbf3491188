import { auditEndpoints } from "@/contracts/audit";
import { exportAuditEvents } from "@/server/audit-log/export-audit-events";
import { route } from "@/server/http/route";

const mediaTypes = { csv: "text/csv; charset=utf-8; header=present", ndjson: "application/x-ndjson" };

export const GET = route(auditEndpoints.export, async ({ actor, query: { format, ...filter } }) => {
  const day = new Date().toISOString().slice(0, 10);
  return new Response(await exportAuditEvents(actor, filter, format), {
    headers: {
      "content-type": mediaTypes[format],
      "content-disposition": `attachment; filename="audit-${day}.${format}"`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
});
