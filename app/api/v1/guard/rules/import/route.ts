import { policyEndpoints } from "@/contracts/policy";
import { route, versionMatched } from "@/server/http/route";
import { importRules } from "@/server/policy/rules/import-rules";

export const POST = route(policyEndpoints.importRules, ({ actor, body, request }) => importRules(actor, body, versionMatched(request)));
