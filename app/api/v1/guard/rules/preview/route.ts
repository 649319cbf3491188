import { guardEndpoints } from "@/contracts/guard";
import { previewRule } from "@/server/guard/simulation/preview-rule";
import { route } from "@/server/http/route";

export const POST = route(guardEndpoints.previewRule, ({ actor, body }) => previewRule(actor, body));
