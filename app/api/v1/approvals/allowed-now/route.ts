import { approvalEndpoints } from "@/contracts/approvals";
import { listAllowedNow } from "@/server/approvals/list-allowed-now";
import { route } from "@/server/http/route";

export const GET = route(approvalEndpoints.allowedNow, ({ actor }) => listAllowedNow(actor));
