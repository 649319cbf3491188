import { hookEndpoints } from "@/contracts/hooks";
import { tryHook } from "@/server/families/hooks/try-hook";
import { route } from "@/server/http/route";

export const POST = route(hookEndpoints.tryOut, ({ actor, body }) => tryHook(actor, body));
