import { actionEvents, type HookActionType, type HookEvent, hookActionTypes } from "@/contracts/browser/hooks/hook-actions";
import { defaultHookRate, type Hook, maxHookMs } from "@/contracts/browser/hooks/hooks";
import type { Json } from "@/contracts/common";
import { callsOut } from "@/contracts/hooks/hook-actions";
import { HookDraft } from "@/contracts/hooks/hooks";
import { isJsonObject } from "@/contracts/lib/is-json-object";

/** A hook as form values: texts as typed, and the options of all actions. */
export type HookForm = {
  name: string;
  event: HookEvent;
  tool: string;
  agentId: string;
  argumentPointer: string;
  argumentPattern: string;
  action: HookActionType;
  enabled: boolean;
  order: number | string;
  timeoutMs: number | string;
  ratePerMinute: number | string;
  pattern: string;
  replacement: string;
  pointer: string;
  fields: string;
  value: string;
  schema: string;
  message: string;
  reason: string;
  keep: string;
  drop: string;
  linePattern: string;
  keepsLines: boolean;
  maxChars: number | string;
  note: string;
  url: string;
  decides: boolean;
  ttlSeconds: number | string;
  scope: string;
  result: string;
  instructions: string;
  judgeAgentId: string;
};

export const emptyForm: HookForm = {
  name: "",
  event: "before_tool",
  tool: "*",
  agentId: "",
  argumentPointer: "",
  argumentPattern: "",
  action: "redact",
  enabled: true,
  order: 100,
  timeoutMs: maxHookMs,
  ratePerMinute: defaultHookRate,
  pattern: "",
  replacement: "[redacted]",
  pointer: "",
  fields: "",
  value: "",
  schema: "",
  message: "",
  reason: "",
  keep: "",
  drop: "",
  linePattern: "",
  keepsLines: false,
  maxChars: 2_000,
  note: "",
  url: "",
  decides: false,
  ttlSeconds: 300,
  scope: "conversation",
  result: "",
  instructions: "",
  judgeAgentId: "",
};

/** Returns the actions that can run at an event. */
export const actionsFor = (event: HookEvent): HookActionType[] => hookActionTypes.filter((action) => actionEvents[action].includes(event));

/** Converts a hook into form values. */
export function toHookForm(hook: Hook): HookForm {
  const { name, event, match, action, enabled, order, timeoutMs, ratePerMinute } = hook;
  const common = {
    ...emptyForm,
    name,
    event,
    tool: match.tool,
    agentId: match.agentId ?? "",
    argumentPointer: match.argument?.pointer ?? "",
    argumentPattern: match.argument?.pattern ?? "",
    action: action.type,
    enabled,
    order,
    timeoutMs,
    ratePerMinute: ratePerMinute ?? defaultHookRate,
  };
  switch (action.type) {
    case "redact":
      return { ...common, pattern: action.pattern, replacement: action.replacement, pointer: action.pointer ?? "" };
    case "mask":
      return { ...common, fields: action.fields.join("\n") };
    case "set":
    case "inject":
      return { ...common, pointer: action.pointer, value: jsonText(action.value) };
    case "validate":
      return {
        ...common,
        pointer: action.pointer ?? "",
        pattern: action.pattern ?? "",
        schema: action.schema ? jsonText(action.schema) : "",
        message: action.message,
      };
    case "deny":
      return { ...common, reason: action.reason };
    case "filter":
      return {
        ...common,
        keep: action.keep.join("\n"),
        drop: action.drop.join("\n"),
        linePattern: action.lines?.pattern ?? "",
        keepsLines: action.lines?.keep ?? false,
      };
    case "truncate":
      return { ...common, maxChars: action.maxChars, pointer: action.pointer ?? "" };
    case "audit":
      return { ...common, note: action.note, fields: action.fields.join("\n") };
    case "webhook":
      return { ...common, url: action.url, decides: action.decides };
    case "cache":
      return { ...common, ttlSeconds: action.ttlSeconds, scope: action.scope };
    case "count_tokens":
      return common;
    case "fall_back":
      return { ...common, result: typeof action.result === "string" ? action.result : jsonText(action.result) };
    case "judge":
      return { ...common, url: action.url ?? "", instructions: action.instructions, judgeAgentId: action.agentId ?? "" };
  }
}

export type DraftOfForm = { draft: HookDraft; errors: null } | { draft: null; errors: Record<string, string> };

/** Parses a form into a hook, or into an error per field. */
export function toHookDraft(form: HookForm): DraftOfForm {
  const errors: Record<string, string> = {};
  const action = actionOf(form, errors);
  const { argumentPattern, argumentPointer } = form;
  const parsed = HookDraft.safeParse({
    name: form.name,
    event: form.event,
    match: {
      tool: form.event.endsWith("_llm") ? "*" : form.tool,
      agentId: form.agentId || null,
      argument: argumentPattern ? { pointer: argumentPointer, pattern: argumentPattern } : null,
    },
    action,
    enabled: form.enabled,
    order: form.order,
    timeoutMs: form.timeoutMs,
    ratePerMinute: callsOut(form.action) ? form.ratePerMinute : null,
  });
  if (parsed.success && Object.keys(errors).length === 0) return { draft: parsed.data, errors: null };
  for (const { path, message } of parsed.error?.issues ?? []) errors[fieldAt(path.map(String), form.action)] ??= message;
  return { draft: null, errors };
}

/** Returns the form field for a path in a hook. */
export function fieldAt(path: readonly string[], action: HookActionType): string {
  const [first = "", second = "", third = ""] = path;
  if (first === "match") return second === "argument" ? (third === "pointer" ? "argumentPointer" : "argumentPattern") : second || "tool";
  if (first !== "action") return first;
  if (second === "lines") return "linePattern";
  if (second === "type") return "action";
  if (second === "agentId") return "judgeAgentId";
  if (second === "") return action === "validate" ? "schema" : "pattern";
  return second;
}

function actionOf(form: HookForm, errors: Record<string, string>): Record<string, unknown> {
  const { action: type } = form;
  const place = form.pointer || null;
  switch (type) {
    case "redact":
      return { type, pattern: form.pattern, replacement: form.replacement, pointer: place };
    case "mask":
      return { type, fields: listOf(form.fields) };
    case "set":
    case "inject":
      return { type, pointer: form.pointer, value: jsonOrText(form.value) };
    case "validate":
      return {
        type,
        pointer: place,
        pattern: form.pattern || null,
        schema: objectOf(form.schema, "schema", errors),
        message: form.message,
      };
    case "deny":
      return { type, reason: form.reason };
    case "filter":
      return {
        type,
        keep: listOf(form.keep),
        drop: listOf(form.drop),
        lines: form.linePattern ? { pattern: form.linePattern, keep: form.keepsLines } : null,
      };
    case "truncate":
      return { type, maxChars: form.maxChars, pointer: place };
    case "audit":
      return { type, note: form.note, fields: listOf(form.fields) };
    case "webhook":
      return { type, url: form.url, decides: form.decides && form.event.startsWith("before_") };
    case "cache":
      return { type, ttlSeconds: form.ttlSeconds, scope: form.scope };
    case "count_tokens":
      return { type };
    case "fall_back":
      return { type, result: resultOf(form.result) };
    case "judge":
      return { type, url: form.url || null, agentId: form.judgeAgentId || null, instructions: form.instructions };
  }
}

const jsonText = (value: Json): string => (typeof value === "string" && !looksLikeJson(value) ? value : JSON.stringify(value, null, 2));

/** Returns whether a text parses as JSON, so that it has to be quoted to stay a text. */
const looksLikeJson = (text: string): boolean => parsedJson(text) !== undefined;

const listOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);

function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Returns the parsed JSON, or else the text itself, because a person who types `acme` means the word. */
const jsonOrText = (text: string): Json => parsedJson(text) ?? (text.trim() === "null" ? null : text);

/** Returns the parsed JSON object, or else the text itself. */
function resultOf(text: string): Json {
  const value = parsedJson(text);
  return isJsonObject(value) ? value : text;
}

function objectOf(text: string, field: string, errors: Record<string, string>): Json {
  if (text.trim() === "") return null;
  const value = parsedJson(text);
  if (isJsonObject(value)) return value;
  errors[field] = "must be a JSON object";
  return null;
}
