import { authProfileEndpoints } from "@/contracts/auth-profiles";
import { createAuthProfile, listAuthProfiles } from "@/server/families/http-tools/auth-profiles/auth-profiles";
import { route } from "@/server/http/route";

export const GET = route(authProfileEndpoints.list, ({ actor, query }) => listAuthProfiles(actor, query));

export const POST = route(authProfileEndpoints.create, ({ actor, body }) => createAuthProfile(actor, body));
