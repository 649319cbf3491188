import { approvalEndpoints } from "@/contracts/approvals";
import { decideApproval } from "@/server/approvals/decide-approval";
import { route } from "@/server/http/route";

export const POST = route(approvalEndpoints.decide, ({ actor, params, body }) => decideApproval(actor, params.id, body));
