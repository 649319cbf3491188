import { policyEndpoints } from "@/contracts/policy";
import { exportRules } from "@/server/guard/export-rules";
import { route } from "@/server/http/route";

export const GET = route(policyEndpoints.exportRules, ({ actor }) => exportRules(actor));
