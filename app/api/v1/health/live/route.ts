import { healthEndpoints } from "@/contracts/health";
import { route } from "@/server/http/route";

export const GET = route(healthEndpoints.live, async () => ({ status: "ok" as const }));
