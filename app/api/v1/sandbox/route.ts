import { sandboxEndpoints } from "@/contracts/sandbox";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { route } from "@/server/http/route";

export const GET = route(sandboxEndpoints.status, async () => sandboxStatus());
