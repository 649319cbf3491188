import { approvalEndpoints } from "@/contracts/approvals";
import { listInbox } from "@/server/approvals/list-inbox";
import { route } from "@/server/http/route";

export const GET = route(approvalEndpoints.inbox, ({ actor, query }) => listInbox(actor, query));
