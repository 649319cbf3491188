import { approvalEndpoints } from "@/contracts/approvals";
import { proposeGrants } from "@/server/approvals/grants/propose-grants";
import { route } from "@/server/http/route";

export const GET = route(approvalEndpoints.proposals, ({ actor, params }) => proposeGrants(actor, params.id));
