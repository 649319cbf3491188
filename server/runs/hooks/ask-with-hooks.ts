import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { RunModel } from "@/contracts/runs/runs";
import type { ModelRequest } from "@/server/models/model-request";
import { AppError, isAppError } from "@/server/platform/errors";
import type { RunTask } from "../active-runs";
import { askAgain, type Finished, type Place, type Reply } from "../ask-again";
import { findModelByName } from "../run-models";
import type { ModelHooks } from "./model-hooks";
import { replyForHooks, replyFromHooks } from "./reply-for-hooks";
import { requestForHooks, requestFromHooks } from "./request-for-hooks";

/** A reply, or the sentence with which a hook withholds it. `spent`: what the model used in either case. */
export type Asked = { reply: Reply; denied: string | null };

/**
 * Asks the model with the hooks around it: `before_llm` may change the request, answer it or refuse it; `after_llm` may change the reply
 * or withhold it; `on_error` may supply a reply, or name another model with `{ "model": name }`.
 * @throws AppError `forbidden` for a request that a hook refuses, `unavailable` when nobody answers
 */
export async function askWithHooks(request: ModelRequest, task: RunTask, place: Place, hooks: ModelHooks | null): Promise<Asked> {
  if (!hooks) return { reply: await askAgain(request, task, place), denied: null };
  const { position } = place;
  const holdsText = place.holdsText || hooks.holdsText;
  const told = requestForHooks(request);
  const before = await hooks.before(told);
  if (before.denied !== null) throw new AppError("forbidden", before.denied);
  if (before.skip && before.reply) return { reply: replyFromHooks(before.reply, { finished: unspent(request) }), denied: null };
  const sent = before.request ?? told;
  const asked = sent === told ? request : await changed(request, told, sent);
  try {
    const reply = await askAgain(asked, task, { position, holdsText });
    return await afterwards(hooks, reply, sent);
  } catch (error) {
    if (request.signal.aborted || !isAppError(error) || error.code !== "unavailable") throw error;
    return fallBack(hooks, { error, sent, asked, task, place: { position, holdsText } });
  }
}

async function afterwards(hooks: ModelHooks, reply: Reply, sent: JsonObject): Promise<Asked> {
  const { reply: left, denied } = await hooks.after(replyForHooks(reply), sent);
  return { reply: left ? replyFromHooks(left, reply) : reply, denied };
}

async function changed(request: ModelRequest, told: JsonObject, sent: JsonObject): Promise<ModelRequest> {
  const { model, ...read } = requestFromHooks(request, told, sent);
  if (model === null) return { ...request, ...read };
  return { ...request, ...read, models: [await namedModel(request, model), ...request.models] };
}

async function namedModel({ workspaceId }: ModelRequest, name: string): Promise<RunModel> {
  const found = await findModelByName(workspaceId, name);
  if (found) return found;
  throw new AppError(
    "invalid",
    `A hook chose the model "${name}", which no enabled provider has. Add it in Settings → Models, or correct the hook.`,
  );
}

type Failed = { error: AppError; sent: JsonObject; asked: ModelRequest; task: RunTask; place: Place };

async function fallBack(hooks: ModelHooks, { error, sent, asked, task, place }: Failed): Promise<Asked> {
  const { reply, denied, error: told } = await hooks.onError({ message: error.message, code: error.code }, sent);
  if (denied !== null) throw new AppError("unavailable", denied, { cause: error });
  if (!reply) throw typeof told?.message === "string" ? new AppError("unavailable", told.message, { cause: error }) : error;
  if (typeof reply.model !== "string" || "content" in reply)
    return { reply: replyFromHooks(reply, { finished: unspent(asked) }), denied: null };
  const models = [await namedModel(asked, reply.model)];
  const answered = await askAgain({ ...asked, models }, task, place);
  return afterwards(hooks, answered, sent);
}

/** The end of a reply that cost nothing, because no model wrote it. */
function unspent({ models: [model] }: ModelRequest): Finished {
  if (!model) throw new Error("A request without a model was asked");
  return {
    kind: "finished",
    reason: "stop",
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, isEstimated: false },
    model,
    providerData: null,
  };
}
