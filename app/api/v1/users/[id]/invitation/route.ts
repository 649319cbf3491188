import { identityEndpoints } from "@/contracts/identity";
import { createInvitation } from "@/server/auth/invitations";
import { route } from "@/server/http/route";

export const POST = route(identityEndpoints.invite, ({ actor, params }) => createInvitation(actor, params.id));
