import type { Tone } from "@/components/ui/tone";
import type { HookActionType, HookEvent } from "@/contracts/hook-actions";
import type { HookOutcome } from "@/contracts/hooks";

/** How the console speaks of the five points. */
export const eventWords: Record<HookEvent, { label: string; sees: string; failing: string }> = {
  before_tool: { label: "Before a tool", sees: "the call's arguments", failing: "the call is refused" },
  after_tool: { label: "After a tool", sees: "the tool's result", failing: "the result stays as it is" },
  before_llm: { label: "Before the model", sees: "the request to the model", failing: "the model is not asked" },
  after_llm: { label: "After the model", sees: "the model's reply", failing: "the reply stays as it is" },
  on_error: { label: "On an error", sees: "the error", failing: "the error stays as it is" },
};

export const actionWords: Record<HookActionType, { label: string; explanation: string }> = {
  redact: { label: "Redact", explanation: "Replaces what a pattern finds, and keeps no record of it." },
  mask: { label: "Mask fields", explanation: "Puts *** in place of fields, also in JSON inside a text." },
  set: { label: "Set a value", explanation: "Puts a value at a place, whatever stands there." },
  inject: { label: "Add what is missing", explanation: "Puts a value where nothing is yet." },
  validate: { label: "Validate", explanation: "Refuses what does not match a pattern or a JSON schema." },
  deny: { label: "Deny", explanation: "Stops it, with a reason for the model." },
  filter: { label: "Filter", explanation: "Keeps or drops fields and lines." },
  truncate: { label: "Truncate", explanation: "Cuts long texts." },
  audit: { label: "Write to the audit", explanation: "Adds a row with the fields that you choose." },
  webhook: { label: "Call a webhook", explanation: "Tells a program, signed. Before something happens, its answer may decide." },
  cache: { label: "Cache", explanation: "Answers equal reads and requests with what was answered before." },
  count_tokens: { label: "Count tokens", explanation: "Records how many tokens the texts have." },
  fall_back: { label: "Fall back", explanation: "Gives a result in place of the error." },
  judge: { label: "Have it judged", explanation: "Asks a program of yours whether it may go on." },
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
