import { guardEndpoints } from "@/contracts/guard";
import { createRule } from "@/server/guard/rules/create-rule";
import { listRules } from "@/server/guard/rules/list-rules";
import { route } from "@/server/http/route";

export const GET = route(guardEndpoints.listRules, ({ actor, query }) => listRules(actor, query));

export const POST = route(guardEndpoints.createRule, ({ actor, body }) => createRule(actor, body));
