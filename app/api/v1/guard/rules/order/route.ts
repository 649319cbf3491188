import { guardEndpoints } from "@/contracts/guard";
import { orderRules } from "@/server/guard/rules/order-rules";
import { route } from "@/server/http/route";

export const POST = route(guardEndpoints.orderRules, ({ actor, body }) => orderRules(actor, body.ids, body.from ?? null));
