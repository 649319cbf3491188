import { hookEndpoints } from "@/contracts/hooks";
import { getHook } from "@/server/families/hooks/get-hook";
import { removeHook } from "@/server/families/hooks/remove-hook";
import { updateHook } from "@/server/families/hooks/update-hook";
import { route, versionMatched } from "@/server/http/route";

export const GET = route(hookEndpoints.get, ({ actor, params }) => getHook(actor, params.id));

export const PUT = route(hookEndpoints.update, ({ actor, params, body, request }) =>
  updateHook(actor, params.id, body, versionMatched(request)),
);

export const DELETE = route(hookEndpoints.remove, async ({ actor, params, request }) => {
  await removeHook(actor, params.id, versionMatched(request));
  return {};
});
