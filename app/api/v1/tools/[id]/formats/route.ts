import { toolEndpoints } from "@/contracts/tools";
import { route } from "@/server/http/route";
import { reportFormats } from "@/server/tools/report-formats";

export const GET = route(toolEndpoints.formats, ({ actor, params }) => reportFormats(actor, params.id));
