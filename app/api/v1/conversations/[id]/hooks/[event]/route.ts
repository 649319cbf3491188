import { hookEndpoints } from "@/contracts/hooks";
import { runLlmHooks } from "@/server/families/hooks/run-llm-hooks";
import { route } from "@/server/http/route";

export const POST = route(hookEndpoints.runForLlm, ({ actor, params, body }) => runLlmHooks(actor, params.id, params.event, body));
