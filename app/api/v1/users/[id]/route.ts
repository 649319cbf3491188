import { identityEndpoints } from "@/contracts/identity";
import { removeUser } from "@/server/auth/remove-user";
import { updateUser } from "@/server/auth/update-user";
import { route } from "@/server/http/route";

export const PATCH = route(identityEndpoints.updateUser, ({ actor, params, body }) => updateUser(actor, params.id, body));
export const DELETE = route(identityEndpoints.removeUser, async ({ actor, params }) => {
  await removeUser(actor, params.id);
  return {};
});
