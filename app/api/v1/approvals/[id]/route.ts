import { approvalEndpoints } from "@/contracts/approvals";
import { getApproval } from "@/server/approvals/get-approval";
import { route } from "@/server/http/route";

export const GET = route(approvalEndpoints.get, ({ actor, params }) => getApproval(actor, params.id));
