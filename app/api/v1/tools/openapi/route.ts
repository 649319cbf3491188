import { httpToolEndpoints } from "@/contracts/http-tools";
import { importOpenApi } from "@/server/families/http-tools/openapi/import-openapi";
import { route } from "@/server/http/route";

export const POST = route(httpToolEndpoints.importOpenApi, ({ actor, body, signal }) => importOpenApi(actor, body, signal));
