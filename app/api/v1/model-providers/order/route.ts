import { modelEndpoints } from "@/contracts/models";
import { route } from "@/server/http/route";
import { orderProviders } from "@/server/models/change-providers";

export const POST = route(modelEndpoints.order, ({ actor, body }) => orderProviders(actor, body.ids));
