import { hookEndpoints } from "@/contracts/hooks";
import { orderHooks } from "@/server/families/hooks/order-hooks";
import { route } from "@/server/http/route";

export const POST = route(hookEndpoints.order, ({ actor, body }) => orderHooks(actor, body.ids));
