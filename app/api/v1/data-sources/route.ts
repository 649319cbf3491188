import { dataSourceEndpoints } from "@/contracts/data-sources";
import { createDataSource, listDataSources } from "@/server/families/data-sources/data-sources";
import { route } from "@/server/http/route";

export const GET = route(dataSourceEndpoints.list, ({ actor, query }) => listDataSources(actor, query));

export const POST = route(dataSourceEndpoints.create, ({ actor, body }) => createDataSource(actor, body));
