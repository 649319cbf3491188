import { policyEndpoints } from "@/contracts/policy";
import { exportRules } from "@/server/guard/rules/export-rules";
import { route } from "@/server/http/route";

export const GET = route(policyEndpoints.exportRules, ({ actor }) => exportRules(actor));
