import { approvalEndpoints } from "@/contracts/approvals";
import { route } from "@/server/http/route";
import { previewApproval } from "@/server/turns/preview-approval";

export const GET = route(approvalEndpoints.preview, ({ actor, params }) => previewApproval(actor, params.id));
