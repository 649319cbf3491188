import type { Tone } from "@/components/kit/ui/tone";
import type { HookActionType, HookEvent } from "@/contracts/hooks/hook-actions";
import type { HookOutcome } from "@/contracts/hooks/hooks";

/** Words of the console for the five events. */
export const eventWords: Record<HookEvent, { label: string; sees: string; failing: string }> = {
  before_tool: { label: "Before a tool", sees: "the call's arguments", failing: "the call is refused" },
  after_tool: { label: "After a tool", sees: "the tool's result", failing: "the result stays as it is" },
  before_llm: { label: "Before the model", sees: "the request to the model", failing: "the model is not asked" },
  after_llm: { label: "After the model", sees: "the model's reply", failing: "the reply stays as it is" },
  on_error: { label: "On an error", sees: "the error", failing: "the error stays as it is" },
};

export const actionWords: Record<HookActionType, { label: string; explanation: string }> = {
  redact: { label: "Redact", explanation: "Replaces the matches of a pattern, without a record of them." },
  mask: { label: "Mask fields", explanation: "Puts *** in place of fields, also in JSON inside a text." },
  set: { label: "Set a value", explanation: "Sets a value, and overwrites the old value." },
  inject: { label: "Add a default", explanation: "Sets a value that is missing." },
  validate: { label: "Validate", explanation: "Refuses values that do not match a pattern or a JSON schema." },
  deny: { label: "Deny", explanation: "Refuses, with a reason for the model." },
  filter: { label: "Filter", explanation: "Keeps or drops fields and lines." },
  truncate: { label: "Truncate", explanation: "Cuts long texts." },
  audit: { label: "Write to the audit", explanation: "Adds a row with the fields that you choose." },
  webhook: { label: "Call a webhook", explanation: "Sends a signed message to a program. Before a call, the answer may decide." },
  cache: { label: "Cache", explanation: "Answers repeated reads and requests from stored answers." },
  count_tokens: { label: "Count tokens", explanation: "Records how many tokens the texts have." },
  fall_back: { label: "Fall back", explanation: "Gives a result in place of the error." },
  judge: { label: "Ask a judge", explanation: "Asks an agent or your program for permission." },
};

export const outcomeWords: Record<HookOutcome, { word: string; tone: Tone }> = {
  unchanged: { word: "Unchanged", tone: "unavailable" },
  changed: { word: "Changed", tone: "allow" },
  answered: { word: "Answered", tone: "allow" },
  denied: { word: "Denied", tone: "deny" },
  failed: { word: "Failed", tone: "deny" },
  timed_out: { word: "Timed out", tone: "deny" },
  skipped: { word: "Skipped", tone: "ask" },
};
