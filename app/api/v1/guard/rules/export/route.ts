import { policyEndpoints } from "@/contracts/policy";
import { route } from "@/server/http/route";
import { exportRules } from "@/server/policy/rules/export-rules";

export const GET = route(policyEndpoints.exportRules, ({ actor }) => exportRules(actor));
