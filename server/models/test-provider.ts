import "server-only";
import { performance } from "node:perf_hooks";
import type { ModelProbe, ModelTest } from "@/contracts/models/models";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { askProvider } from "./ask-model";
import { findProvider } from "./find-provider";
import type { ProviderAccess } from "./make-language-model";
import { ModelFault } from "./model-fault";
import { draftAccess, storedAccess } from "./provider-access";

type Writer = Authorized<"models:write">;

/** A local server may have to load the model first. */
const testLimitMs = 60_000;
const maxTextChars = 200;

/** Asks a model of a stored provider for one word, also when the provider is disabled. @throws AppError `not_found` */
export async function testProvider(actor: Writer, id: string, model: string, signal: AbortSignal): Promise<ModelTest> {
  return ask(storedAccess(await findProvider(db(), actor.workspaceId, id)), model, signal);
}

/** Asks a model of an unsaved provider for one word. @throws AppError `invalid` for a stored key of another origin */
export async function testDraft(actor: Writer, { model, ...draft }: ModelProbe, signal: AbortSignal): Promise<ModelTest> {
  return ask(await draftAccess(actor.workspaceId, draft), model, signal);
}

async function ask(access: ProviderAccess, model: string, caller: AbortSignal): Promise<ModelTest> {
  const started = performance.now();
  const passed = () => Math.round(performance.now() - started);
  const limit = AbortSignal.timeout(testLimitMs);
  const test: ModelTest = { succeeded: false, error: null, text: "", firstWordMs: null, durationMs: 0, inputTokens: 0, outputTokens: 0 };
  try {
    const answer = askProvider(
      access,
      { providerId: "", model },
      {
        instructions: "",
        messages: [{ role: "user", parts: [{ type: "text", text: "Reply with the one word: ready" }] }],
        tools: [],
        // Enough for a model that thinks first.
        settings: { maxOutputTokens: 512 },
        signal: AbortSignal.any([caller, limit]),
      },
    );
    for await (const event of answer) {
      if (event.kind === "text" || event.kind === "reasoning") test.firstWordMs ??= passed();
      if (event.kind === "text_was_reasoning") test.text = "";
      if (event.kind === "text") test.text = `${test.text}${event.text}`.slice(0, maxTextChars);
      if (event.kind === "finished") {
        const { inputTokens, outputTokens } = event.usage ?? { inputTokens: 0, outputTokens: 0 };
        Object.assign(test, { succeeded: true, inputTokens, outputTokens });
      }
    }
  } catch (error) {
    caller.throwIfAborted();
    if (limit.aborted) test.error = `${access.name} did not answer within ${testLimitMs / 1_000} s. Try again when the model is loaded.`;
    else if (error instanceof ModelFault || isAppError(error)) test.error = error.message;
    else throw error;
  }
  return { ...test, durationMs: passed() };
}
