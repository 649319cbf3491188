import { policyEndpoints } from "@/contracts/policy";
import { importRules } from "@/server/guard/rules/import-rules";
import { route, versionMatched } from "@/server/http/route";

export const POST = route(policyEndpoints.importRules, ({ actor, body, request }) => importRules(actor, body, versionMatched(request)));
