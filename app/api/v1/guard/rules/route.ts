import { guardEndpoints } from "@/contracts/guard";
import { route } from "@/server/http/route";
import { createRule } from "@/server/policy/rules/create-rule";
import { listRules } from "@/server/policy/rules/list-rules";

export const GET = route(guardEndpoints.listRules, ({ actor, query }) => listRules(actor, query));

export const POST = route(guardEndpoints.createRule, ({ actor, body }) => createRule(actor, body));
