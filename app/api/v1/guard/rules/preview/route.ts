import { guardEndpoints } from "@/contracts/guard";
import { route } from "@/server/http/route";
import { previewRule } from "@/server/policy/simulation/preview-rule";

export const POST = route(guardEndpoints.previewRule, ({ actor, body }) => previewRule(actor, body));
