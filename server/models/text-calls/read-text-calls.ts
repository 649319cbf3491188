import type { ModelEvent, ModelToolCall } from "../model-request";
import { CallFinder } from "./call-finder";
import type { ToolSchemas } from "./call-forms";

/** `text`: the model was told to write its calls as text. `auto`: it was offered tools, and may have written calls as text all the same. */
export type TextCallMode = "text" | "auto";

type Reading = { mode: TextCallMode; schemas: ToolSchemas };

/**
 * Reads calls that a model writes as text: in one of the forms of `call-forms.ts`, or as fenced JSON with the name of a known tool at
 * the end of the reply. A form within a code block or between backticks is a quotation. The text of calls is held back; what turns out to be none is passed on. A reply with calls of its own has no others.
 */
export async function* readTextCalls(events: AsyncIterable<ModelEvent>, { mode, schemas }: Reading): AsyncGenerator<ModelEvent> {
  const finder = new CallFinder({ mode, schemas });
  let hasOwnCalls = false;
  for await (const event of events) {
    if (event.kind === "text") {
      const shown = hasOwnCalls ? event.text : finder.add(event.text);
      if (shown) yield { kind: "text", text: shown };
    } else if (event.kind === "finished") {
      const { text, calls } = hasOwnCalls ? { text: "", calls: [] } : finder.end();
      if (text) yield { kind: "text", text };
      yield* calls.map((call: ModelToolCall) => ({ kind: "call", call }) as const);
      yield { ...event, reason: calls.length > 0 && isWhole(event.reason) ? "tool_calls" : event.reason };
    } else {
      if ((event.kind === "call" || event.kind === "call_text") && !hasOwnCalls) {
        hasOwnCalls = true;
        const text = finder.giveUp();
        if (text) yield { kind: "text", text };
      }
      yield event;
    }
  }
}

/** A reply that a limit or a filter ended stays one, whatever calls it has. */
const isWhole = (reason: string) => reason !== "length" && reason !== "content_filter";
