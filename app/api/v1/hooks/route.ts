import { hookEndpoints } from "@/contracts/hooks";
import { createHook } from "@/server/families/hooks/create-hook";
import { listHooks } from "@/server/families/hooks/list-hooks";
import { route } from "@/server/http/route";

export const GET = route(hookEndpoints.list, ({ actor, query }) => listHooks(actor, query));

export const POST = route(hookEndpoints.create, ({ actor, body }) => createHook(actor, body));
