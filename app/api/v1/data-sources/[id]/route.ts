import { dataSourceEndpoints } from "@/contracts/data-sources";
import { getDataSource, removeDataSource, updateDataSource } from "@/server/families/data-sources/data-sources";
import { route, versionMatched } from "@/server/http/route";

export const GET = route(dataSourceEndpoints.get, ({ actor, params }) => getDataSource(actor, params.id));

export const PUT = route(dataSourceEndpoints.update, ({ actor, params, body, request }) =>
  updateDataSource(actor, params.id, body, versionMatched(request)),
);

export const DELETE = route(dataSourceEndpoints.remove, async ({ actor, params, request }) => {
  await removeDataSource(actor, params.id, versionMatched(request));
  return {};
});
