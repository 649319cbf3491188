import { modelEndpoints } from "@/contracts/models";
import { route, versionMatched } from "@/server/http/route";
import { removeProvider, updateProvider } from "@/server/models/change-providers";
import { getProvider } from "@/server/models/list-providers";

export const GET = route(modelEndpoints.get, ({ actor, params }) => getProvider(actor, params.id));

export const PUT = route(modelEndpoints.update, ({ actor, params, body, request }) =>
  updateProvider(actor, params.id, body, versionMatched(request)),
);

export const DELETE = route(modelEndpoints.remove, async ({ actor, params, request }) => {
  await removeProvider(actor, params.id, versionMatched(request));
  return {};
});
