import { approvalEndpoints } from "@/contracts/approvals";
import { decideApprovals } from "@/server/approvals/decide-approval";
import { route } from "@/server/http/route";

export const POST = route(approvalEndpoints.decideMany, ({ actor, body }) => decideApprovals(actor, body.decisions));
