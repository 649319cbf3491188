import { policyEndpoints } from "@/contracts/policy";
import { route } from "@/server/http/route";
import { policyFileStatus } from "@/server/policy/policy-file/policy-file-status";

export const GET = route(policyEndpoints.getFile, async ({ actor }) => policyFileStatus(actor));
