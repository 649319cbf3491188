import { guardEndpoints } from "@/contracts/guard";
import { route } from "@/server/http/route";
import { orderRules } from "@/server/policy/rules/order-rules";

export const POST = route(guardEndpoints.orderRules, ({ actor, body }) => orderRules(actor, body.ids, body.from ?? null));
