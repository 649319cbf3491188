import { approvalEndpoints } from "@/contracts/approvals";
import { listApprovals } from "@/server/approvals/list-approvals";
import { route } from "@/server/http/route";

export const GET = route(approvalEndpoints.list, ({ actor, query }) => listApprovals(actor, query));
