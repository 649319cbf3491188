import { auditEndpoints } from "@/contracts/audit";
import { listAuditEvents } from "@/server/audit-log/list-audit-events";
import { route } from "@/server/http/route";

export const GET = route(auditEndpoints.list, ({ actor, query }) => listAuditEvents(actor, query));
