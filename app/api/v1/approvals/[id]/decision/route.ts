import { approvalEndpoints } from "@/contracts/approvals";
import { route } from "@/server/http/route";
import { decideWithEdits } from "@/server/turns/decide-with-edits";

export const POST = route(approvalEndpoints.decide, ({ actor, params, body }) => decideWithEdits(actor, params.id, body));
