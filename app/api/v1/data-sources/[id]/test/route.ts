import { dataSourceEndpoints } from "@/contracts/data-sources";
import { testDataSource } from "@/server/families/data-sources/test-data-source";
import { route } from "@/server/http/route";

export const POST = route(dataSourceEndpoints.test, ({ actor, params }) => testDataSource(actor, params.id));
