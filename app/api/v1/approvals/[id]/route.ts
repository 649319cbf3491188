import { approvalEndpoints } from "@/contracts/approvals";
import { route } from "@/server/http/route";
import { getApprovalNow } from "@/server/turns/denied-now";

export const GET = route(approvalEndpoints.get, ({ actor, params }) => getApprovalNow(actor, params.id));
