import { guardEndpoints } from "@/contracts/guard";
import { route, versionMatched } from "@/server/http/route";
import { getRule } from "@/server/policy/rules/get-rule";
import { removeRule } from "@/server/policy/rules/remove-rule";
import { updateRule } from "@/server/policy/rules/update-rule";

export const GET = route(guardEndpoints.getRule, ({ actor, params }) => getRule(actor, params.id));

export const PUT = route(guardEndpoints.updateRule, ({ actor, params, body, request }) =>
  updateRule(actor, params.id, body, versionMatched(request)),
);

export const DELETE = route(guardEndpoints.removeRule, async ({ actor, params, request }) => {
  await removeRule(actor, params.id, versionMatched(request));
  return {};
});
