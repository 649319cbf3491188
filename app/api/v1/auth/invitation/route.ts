import { identityEndpoints } from "@/contracts/identity";
import { acceptInvitation } from "@/server/auth/invitations";
import { route } from "@/server/http/route";

export const POST = route(identityEndpoints.acceptInvitation, ({ body, requestId }) => acceptInvitation(body, requestId));
