import { approvalEndpoints } from "@/contracts/approvals";
import { route } from "@/server/http/route";
import { decideMany } from "@/server/turns/decide-with-edits";

export const POST = route(approvalEndpoints.decideMany, ({ actor, body }) => decideMany(actor, body.decisions));
