import { policyEndpoints } from "@/contracts/policy";
import { policyFileStatus } from "@/server/guard/policy-file/policy-file-status";
import { route } from "@/server/http/route";

export const GET = route(policyEndpoints.getFile, async ({ actor }) => policyFileStatus(actor));
