import { modelEndpoints } from "@/contracts/models";
import { route } from "@/server/http/route";
import { createProvider } from "@/server/models/change-providers";
import { listProviders } from "@/server/models/list-providers";

export const GET = route(modelEndpoints.list, ({ actor }) => listProviders(actor));

export const POST = route(modelEndpoints.create, ({ actor, body }) => createProvider(actor, body));
