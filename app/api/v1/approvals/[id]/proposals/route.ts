import { approvalEndpoints } from "@/contracts/approvals";
import { proposeGrants } from "@/server/approvals/grants/propose-grants";
import { tryPattern } from "@/server/approvals/grants/try-pattern";
import { route } from "@/server/http/route";

export const GET = route(approvalEndpoints.proposals, ({ actor, params }) => proposeGrants(actor, params.id));
export const POST = route(approvalEndpoints.tryPattern, ({ actor, params, body }) => tryPattern(actor, params.id, body));
