import { identityEndpoints } from "@/contracts/identity";
import { createApiKey } from "@/server/auth/create-api-key";
import { listApiKeys } from "@/server/auth/list-api-keys";
import { route } from "@/server/http/route";

export const GET = route(identityEndpoints.listApiKeys, ({ actor, query }) => listApiKeys(actor, query));
export const POST = route(identityEndpoints.createApiKey, ({ actor, body }) => createApiKey(actor, body));
