import { approvalEndpoints } from "@/contracts/approvals";
import { listGroups } from "@/server/approvals/list-groups";
import { route } from "@/server/http/route";

export const GET = route(approvalEndpoints.groups, ({ actor, query }) => listGroups(actor, query));
