import { identityEndpoints } from "@/contracts/identity";
import { revokeApiKey } from "@/server/auth/revoke-api-key";
import { route } from "@/server/http/route";

export const DELETE = route(identityEndpoints.revokeApiKey, ({ actor, params }) => revokeApiKey(actor, params.id));
