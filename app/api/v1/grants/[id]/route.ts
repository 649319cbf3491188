import { grantEndpoints } from "@/contracts/grants";
import { revokeGrant } from "@/server/approvals/grants/revoke-grant";
import { route } from "@/server/http/route";

export const DELETE = route(grantEndpoints.revoke, ({ actor, params }) => revokeGrant(actor, params.id));
