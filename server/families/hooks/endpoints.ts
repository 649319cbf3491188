import { hookEndpoints } from "@/contracts/hooks/hooks";
import { answer } from "@/server/endpoints/answer";
import { createHook } from "./create-hook";
import { getHook } from "./get-hook";
import { listHookRuns } from "./list-hook-runs";
import { listHooks } from "./list-hooks";
import { orderHooks } from "./order-hooks";
import { removeHook } from "./remove-hook";
import { runLlmHooks } from "./run-llm-hooks";
import { tryHook } from "./try-hook";
import { updateHook } from "./update-hook";

export const hookAnswers = answer(hookEndpoints, {
  list: ({ actor, query }) => listHooks(actor, query),
  create: ({ actor, body }) => createHook(actor, body),
  get: ({ actor, params }) => getHook(actor, params.id),
  update: ({ actor, params, body, version }) => updateHook(actor, params.id, body, version),
  remove: ({ actor, params, version }) => removeHook(actor, params.id, version),
  order: ({ actor, body }) => orderHooks(actor, body.ids),
  tryOut: ({ actor, body }) => tryHook(actor, body),
  listRuns: ({ actor, query }) => listHookRuns(actor, query),
  runForLlm: ({ actor, params, body }) => runLlmHooks(actor, params.id, params.event, body),
});
