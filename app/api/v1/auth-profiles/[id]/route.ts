import { authProfileEndpoints } from "@/contracts/auth-profiles";
import { getAuthProfile, removeAuthProfile, updateAuthProfile } from "@/server/families/http-tools/auth-profiles/auth-profiles";
import { route, versionMatched } from "@/server/http/route";

export const GET = route(authProfileEndpoints.get, ({ actor, params }) => getAuthProfile(actor, params.id));

export const PUT = route(authProfileEndpoints.update, ({ actor, params, body, request }) =>
  updateAuthProfile(actor, params.id, body, versionMatched(request)),
);

export const DELETE = route(authProfileEndpoints.remove, async ({ actor, params, request }) => {
  await removeAuthProfile(actor, params.id, versionMatched(request));
  return {};
});
