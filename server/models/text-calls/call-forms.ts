import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { ModelToolCall } from "../model-request";
import { parseBrokenCall, parseCalls } from "./parse-calls";
import { plainName } from "./plain-name";

/** The tools of a request by name, with the schemas of their arguments. */
export type ToolSchemas = ReadonlyMap<string, JsonObject>;

export type FormContext = { schemas: ToolSchemas; isCallable: (name: string) => boolean };

/** A form in which models write calls as text. `close` is null for a form that goes to the end of the reply. */
export type CallForm = {
  open: RegExp;
  close: RegExp | null;
  /** Reads the calls between the marks; null when they are none. */
  read: (body: string, context: FormContext, mark: string) => ModelToolCall[] | null;
};

/** The forms of the templates of common open models. A block of fenced JSON is read elsewhere, because it needs more doubt. */
export const callForms: readonly CallForm[] = [
  // Hermes, Qwen, GLM.
  { open: /<tool_call>/i, close: /<\/tool_call>/i, read: readToolCall },
  // Llama, Qwen Coder.
  { open: /<function=[\w.:-]{1,200}>/i, close: /<\/function>/i, read: (body, context, mark) => readFunction(`${mark}${body}`, context) },
  // Claude's older form, and DeepSeek's.
  { open: /<(?:antml:)?function_calls>/i, close: /<\/(?:antml:)?function_calls>/i, read: readInvokes },
  {
    open: /<(?:antml:)?invoke\s+name=["'][\w.:-]{1,200}["']\s*>/i,
    close: /<\/(?:antml:)?invoke>/i,
    read: (body, context, mark) => readInvokes(`${mark}${body}`, context),
  },
  // Mistral.
  { open: /\[TOOL_CALLS\]/, close: null, read: readMistral },
  // Llama 3.1.
  { open: /<\|python_tag\|>/, close: null, read: (body, { isCallable }) => parseCalls(body.replace(/<\|e\w+\|>\s*$/, ""), isCallable) },
  // Kimi.
  { open: /<\|tool_calls_section_begin\|>/, close: /<\|tool_calls_section_end\|>/, read: readKimi },
  // DeepSeek.
  { open: /<｜tool▁calls▁begin｜>/, close: /<｜tool▁calls▁end｜>/, read: readDeepSeek },
  // Harmony.
  {
    open: /<\|channel\|>(?:commentary|analysis) to=[\w.:-]{1,200}[^<\n]{0,80}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>/,
    close: /<\|call\|>/,
    read: (body, context, mark) => named(/ to=([\w.:-]+)/.exec(mark)?.[1], body, context),
  },
];

function readToolCall(body: string, context: FormContext): ModelToolCall[] | null {
  if (/<function=/i.test(body)) return readFunction(body, context);
  const glm = /^\s*([\w.:-]{1,200})\s*((?:<arg_key>[\s\S]*)?)$/.exec(body);
  if (glm?.[1]) {
    const pairs = [...(glm[2] ?? "").matchAll(/<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/gi)];
    return fromValues(glm[1], pairs, context);
  }
  const found = parseCalls(body, context.isCallable);
  const broken = found ? null : parseBrokenCall(body, context.isCallable);
  return found ?? (broken && [broken]);
}

/** `<function=name>` with JSON, or with `<parameter=name>` for each argument. */
function readFunction(text: string, context: FormContext): ModelToolCall[] | null {
  const calls = [...text.matchAll(/<function=([\w.:-]+)>([\s\S]*?)(?=<\/function>|<function=|$)/gi)].map(([, name = "", body = ""]) => {
    const pairs = [...body.matchAll(/<parameter=([^>\n]+)>([\s\S]*?)<\/parameter>/gi)];
    return pairs.length > 0 ? fromValues(name, pairs, context) : named(name, body, context);
  });
  return allOf(calls);
}

function readInvokes(text: string, context: FormContext): ModelToolCall[] | null {
  const calls = [...text.matchAll(/<(?:antml:)?invoke\s+name=["']([\w.:-]+)["']\s*>([\s\S]*?)(?=<\/(?:antml:)?invoke>|$)/gi)].map(
    ([, name = "", body = ""]) => {
      const pairs = [...body.matchAll(/<(?:antml:)?parameter\s+name=["']([^"'>]+)["'][^>]*>([\s\S]*?)<\/(?:antml:)?parameter>/gi)];
      return pairs.length === 0 && body.trim().startsWith("{") ? named(name, body, context) : fromValues(name, pairs, context);
    },
  );
  return calls.length > 0 ? allOf(calls) : parseCalls(text, context.isCallable);
}

/** A list of calls as JSON, or the name of each call with its arguments behind it. */
function readMistral(body: string, context: FormContext): ModelToolCall[] | null {
  const text = body.replace(/<\/s>\s*$/, "").trim();
  const listed = parseCalls(text, context.isCallable) ?? parseCalls(text.slice(0, text.lastIndexOf("]") + 1), context.isCallable);
  if (listed) return listed;
  const parts = text
    .split(/\[TOOL_CALLS\]/)
    .map((part) => /^\s*([\w.:-]{1,200})\s*(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?\s*(\{[\s\S]*)$/.exec(part));
  return allOf(parts.map((part) => (part ? named(part[1], part[2] ?? "", context) : null)));
}

function readKimi(body: string, context: FormContext): ModelToolCall[] | null {
  const calls = body.matchAll(/<\|tool_call_begin\|>\s*([\w.:-]+)\s*<\|tool_call_argument_begin\|>([\s\S]*?)(?=<\|tool_call_end\|>|$)/g);
  // The number behind the name is the call's id.
  return allOf([...calls].map(([, name = "", args = ""]) => named(name.replace(/:\d+$/, ""), args, context)));
}

function readDeepSeek(body: string, context: FormContext): ModelToolCall[] | null {
  const calls = body.matchAll(
    /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?\s*([\w.:-]+)(?:<｜tool▁sep｜>)?([\s\S]*?)(?=<｜tool▁call▁end｜>|$)/g,
  );
  return allOf([...calls].map(([, name = "", args = ""]) => named(name, args.replace(/^\s*```(?:json)?|```\s*$/g, ""), context)));
}

/** A call whose name stands outside of its JSON. Broken JSON reaches the pipeline, which explains it. */
function named(name: string | undefined, json: string, { isCallable }: FormContext): ModelToolCall[] | null {
  if (!name || !isCallable(plainName(name))) return null;
  return [{ id: "", name: plainName(name), arguments: json.trim() || "{}" }];
}

function fromValues(name: string, pairs: readonly RegExpMatchArray[], { isCallable, schemas }: FormContext): ModelToolCall[] | null {
  const called = plainName(name);
  if (!isCallable(called)) return null;
  const properties = schemas.get(called)?.properties;
  // Without a prototype, because the keys are the model's.
  const args: Record<string, Json> = Object.create(null);
  for (const [, key = "", value = ""] of pairs) {
    const property = isJsonObject(properties) ? properties[key.trim()] : undefined;
    args[key.trim()] = typedValue(value.replace(/^\r?\n|\r?\n$/g, ""), property);
  }
  return [{ id: "", name: called, arguments: JSON.stringify(args) }];
}

/** A value as text has no type, so the schema says what it is. */
function typedValue(text: string, schema: Json | undefined): Json {
  const type = isJsonObject(schema) ? schema.type : undefined;
  if (type === undefined || type === "string" || (Array.isArray(type) && type.includes("string"))) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** All calls of a block, or none of them: a block with an unknown tool is an example. */
function allOf(calls: readonly (ModelToolCall[] | null)[]): ModelToolCall[] | null {
  if (calls.length === 0 || calls.some((call) => call === null)) return null;
  return calls.flatMap((call) => call ?? []);
}
