import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { ActorRef, Json, JsonObject } from "@/contracts/common";
import type { ToolEffect, ToolMode, ToolSource, ToolTier } from "@/contracts/tools/tools";
import type { KeptDefinition } from "@/db/schema";
import type { Capability } from "@/server/capabilities/define-capability";
import { fieldErrors } from "@/server/platform/field-errors";
import type { CallingClient, ProgressStep } from "./calling-client";
import { nearestName } from "./nearest-name";
import { repairName } from "./resolve-name";
import { backgroundArgument } from "./run-in-background";
import type { Approval, Disclosure, Names, Recovery, Results, Running, Traits } from "./tool-traits";

/** The result of a tool. The model sees a plain value as text: strings unchanged, everything else as JSON. */
export type ToolResult =
  | Json
  | {
      [resultMark]: true;
      text: string;
      isError?: boolean;
      /** Only with `isError`: the work reached its time limit. */
      isTimedOut?: boolean;
      /** Only with `isError`: the work succeeded and its result is negative (a failing test). The loop guard does not count it. */
      isAnswer?: boolean;
      /** Sections of the text: when the text is too long, each section keeps its beginning and its end. */
      sections?: readonly string[];
      structuredContent?: JsonObject;
      /** Parts that are not text (images, audio, files); stored as artifacts. */
      files?: ResultFile[];
      /** Texts with an address of their own, which stand in the text as `resourceText` writes them. */
      resources?: EmbeddedText[];
      /** Resources that the text names by their addresses. */
      links?: ResultLink[];
      /** The parts of the text as an MCP server sent them, in its order. */
      blocks?: SentBlock[];
      /** `_meta` of an MCP server's result, for programs. */
      meta?: JsonObject;
    };

/** A part of a result that is no text. `uri`: its address at the server that embedded it. */
export type ResultFile = { name: string; mediaType: string; bytes: Uint8Array; uri?: string };

/** A text that a server embedded in a result. */
export type EmbeddedText = { uri: string; mediaType: string | null; text: string };

/** A resource that a server links to. */
export type ResultLink = { uri: string; mediaType: string | null; name: string; description: string };

/** A block of a server's result, as it is `written` in the text. `part`: the file, resource or link that it stands for, by its place among those. */
export type SentBlock = {
  written: string;
  part?: { of: "files" | "resources" | "links"; at: number };
  annotations?: JsonObject;
  meta?: JsonObject;
};

/** Writes an embedded text as the model reads it. */
export const resourceText = ({ uri, text }: Pick<EmbeddedText, "uri" | "text">): string => `${uri}\n${text}`;

const resultMark = Symbol.for("handrail.ToolResult");
export type RichResult = Extract<ToolResult, { [resultMark]: true }>;

/** Creates a result with more than one value: an in-band error, structured content, files. */
export function toolResult(result: Omit<RichResult, typeof resultMark>): RichResult {
  return { ...result, [resultMark]: true };
}

export function isRichResult(result: ToolResult): result is RichResult {
  return typeof result === "object" && result !== null && resultMark in result;
}

/** A gate that only a person with the right to decide approvals can open. */
export type GateStep = {
  approve: { gate: string; question: string; options: readonly string[] };
  /** The deadline of the answer, in milliseconds since 1970. */
  expiresAt: number;
};

/**
 * A wait for something whose rows say when it is over, such as another run (kind `run`) or a background job (`job`), for at most
 * `seconds`. Kinds are registered with `provideDurableWait`. The time of the call goes on meanwhile, and a run of the call's
 * conversation is let go.
 */
export type WaitStep = { wait: { kind: string; id: string; seconds?: number } };

/** One yield of a stateful tool: a line of progress, a question to a person, a gate, or a wait. */
export type Step = { say: string } | { ask: string; options?: readonly string[] } | GateStep | WaitStep;

/**
 * The steps of a stateful tool. `next` receives the answer to a question, an empty text after a line of progress,
 * JSON after a gate (`{ approved, comment }`), and after a wait the result, or an empty text when
 * the time was up.
 */
export type Steps = AsyncGenerator<Step, ToolResult, string>;

/** A question of a direct tool to a person. `url`: an address that the person is asked to open. */
export type PersonQuestion = { text: string; options?: readonly string[]; url?: string };

/** The conversation that a call belongs to, for tools that keep a session for it or for its user. */
export type CallOrigin = { workspaceId: string; conversationId: string; requestedBy: ActorRef };

/** The arguments that every tool receives beside its capabilities. */
export type ToolCallContext = {
  signal: AbortSignal;
  /** Milliseconds that this call may take; afterwards the pipeline aborts the signal. */
  timeoutMs: number;
  /** True when a call whose connection broke may be repeated; false when an admin declared that the tool changes something. */
  mayRepeat?: boolean;
  /** One line for people about how far the work is ("Reading report.pdf, page 3 of 40"). */
  progress: (message: string, step?: ProgressStep) => void;
  /** W3C Trace Context of the call's request, for requests that the tool sends. */
  traceparent?: string;
  origin?: CallOrigin;
  /** `_meta` of the client's request, for the tool's MCP server. */
  meta?: JsonObject;
  /** The program that made the call and waits for it, when it can be reached meanwhile. */
  client?: CallingClient;
  /**
   * Asks a person while the call runs; its time limit does not count the wait. Absent where nobody can be asked.
   * @throws AppError `conflict` when somebody declined, `timed_out` when nobody answered in time, `unavailable` when nobody
   * can be asked
   */
  ask?: (question: PersonQuestion) => Promise<string>;
  /** Waits while the call's time limit stands still, for what may be a question of this call. The slot stays. */
  standStill?: <T>(wait: () => Promise<T>) => Promise<T>;
  /**
   * Waits for work elsewhere that has limits of its own, such as another agent's run. Meanwhile the call's time limit
   * stands still and the call holds no slot. Absent for stateful tools, and outside a turn.
   */
  waitElsewhere?: <T>(wait: () => Promise<T>) => Promise<T>;
};

/** Capabilities by name, as `execute` receives them. */
type Given<N extends Capability> = { readonly [C in N as C["name"]]: ReturnType<C["create"]> };

export type ToolSpec<I extends z.ZodObject, N extends Capability> = {
  /** The function name for models; snake_case. */
  name: string;
  title: string;
  /** The description for models; under 400 characters. */
  description: string;
  family: string;
  tier: ToolTier;
  effect: ToolEffect;
  /** The tool's capabilities: shown in the console, matched by rules, and the only ones that `execute` receives. */
  needs: readonly N[];
  /** The argument that identifies the call's target; a rule's pattern without a parameter is matched against it. */
  primaryArgument?: string;
  names?: Names;
  approval?: Approval<z.output<I>>;
  running?: Running<z.output<I>>;
  recovery?: Recovery;
  disclosure?: Disclosure;
  result?: Results;
  timeoutMs?: number;
  input: I;
  /** The tool works in steps: `execute` is an async generator, which may wait for people. Its answers survive a crash. */
  stateful?: boolean;
  execute: (input: z.output<I>, context: Given<N> & ToolCallContext) => Promise<ToolResult> | Steps;
};

/** The parsed arguments, or a sentence that says what to send instead. */
export type ParsedArguments =
  | { ok: true; value: JsonObject }
  /** `renamed`: the given arguments under the parameters' own names. */
  | { ok: false; message: string; renamed?: JsonObject };

/** A tool of any source without its input type: the form for the registry and the pipeline. */
export type AnyTool = Traits &
  StatedTraits & {
    name: string;
    title: string;
    description: string;
    source: ToolSource;
    /** Id of the tool's MCP server. */
    sourceRef: string | null;
    rawName: string;
    family: string;
    defaultTier: ToolTier;
    effect: ToolEffect;
    /** Names of the tool's capabilities. */
    needs: readonly string[];
    /** The only capabilities created for a call; absent for a tool that runs elsewhere. */
    capabilities?: readonly Capability[];
    primaryArgument: string | null;
    mode: ToolMode;
    timeoutMs: number;
    inputSchema: JsonObject;
    /** `_meta` of the tool as its MCP server lists it, for MCP clients. */
    meta?: JsonObject | null;
    /** Disabled until an admin enables the tool. */
    disabledAtFirst?: boolean;
    /** Definition of an MCP tool, compared with its pin; only the hash for a tool that was made from its row. */
    definition?: KeptDefinition | Pick<KeptDefinition, "hash">;
    /** The reason why the tool is listed but never callable, such as an invalid schema. */
    unavailableReason?: string;
    /**
     * Validates and completes arguments. The returned value is decided on, run and recorded.
     * @param requestedName as the model wrote it; an alias may have its own defaults
     */
    parse: (args: JsonObject, requestedName?: string) => ParsedArguments;
    run: (parsedArguments: JsonObject, context: ToolCallContext & Readonly<Record<string, unknown>>) => Promise<ToolResult> | Steps;
  };

/** Traits that every source states. */
type StatedTraits = { aliases: readonly string[] } & Record<
  "concurrencySafe" | "idempotent" | "backgroundable" | "dangerous" | "alwaysOn" | "neverSpilled",
  boolean
>;

const defaultTimeoutMs = 30_000;

/** Creates a builtin tool from its specification. Behaviour common to all tools lives in the pipeline. */
export function defineTool<I extends z.ZodObject, const N extends Capability>(spec: ToolSpec<I, N>): AnyTool {
  const { name, title, description, family, effect, primaryArgument = null, timeoutMs = defaultTimeoutMs } = spec;
  const onlyReads = effect === "read";
  const stated: StatedTraits = {
    aliases: [],
    concurrencySafe: onlyReads,
    idempotent: onlyReads || spec.recovery?.resumes === true,
    backgroundable: false,
    dangerous: false,
    alwaysOn: false,
    neverSpilled: false,
  };
  const { aliasDefaults, ...names } = spec.names ?? {};
  return {
    ...stated,
    ...names,
    ...(spec.approval as Approval<JsonObject> | undefined),
    ...(spec.running as Running<JsonObject> | undefined),
    ...spec.recovery,
    ...spec.disclosure,
    ...spec.result,
    ...{ name, title, description, family, effect, primaryArgument, timeoutMs },
    source: "builtin",
    sourceRef: null,
    rawName: name,
    defaultTier: spec.tier,
    needs: spec.needs.map((capability) => capability.name),
    capabilities: spec.needs,
    mode: spec.stateful ? "stateful" : "direct",
    inputSchema: inputSchemaOf(spec.input),
    parse: parserOf(spec),
    run: (parsedArguments, context) => spec.execute(parsedArguments as z.output<I>, context as Given<N> & ToolCallContext),
  };
}

type Parsed = Pick<ToolSpec<z.ZodObject, Capability>, "name" | "input" | "names"> & { running?: { backgroundable?: boolean } };

function parserOf({ name, input, names: { parameterAliases = {}, aliasDefaults = {} } = {}, running }: Parsed): AnyTool["parse"] {
  const declared = Object.keys(input.shape);
  const names: ParameterNames = {
    declared,
    aliases: new Map(Object.entries(parameterAliases)),
    // The background argument is not part of the input schema: the pipeline removes it before parsing.
    shown: [...declared, ...(running?.backgroundable ? [backgroundArgument] : [])],
  };
  const defaultsByAlias = new Map(Object.entries(aliasDefaults).map(([alias, defaults]) => [repairName(alias), defaults]));
  return (args, requestedName) => {
    const defaults = requestedName === undefined ? undefined : defaultsByAlias.get(repairName(requestedName));
    const { renamed, mistakes, hasUnknown } = renameParameters(args, names);
    const completed = { ...defaults, ...renamed };
    const parsed = input.safeParse(completed);
    if (parsed.success && mistakes.length === 0) return { ok: true, value: parsed.data as JsonObject };
    const issues = parsed.success ? [] : sentencesOf(parsed.error);
    return { ok: false, message: misfit(name, [...issues, ...mistakes], hasUnknown ? names.shown : null), renamed: completed };
  };
}

function inputSchemaOf(input: z.ZodObject): JsonObject {
  const { $schema, ...schema } = z.toJSONSchema(input, { io: "input" });
  return schema as JsonObject;
}

type ParameterNames = {
  declared: readonly string[];
  aliases: ReadonlyMap<string, string>;
  /** The parameters that models are told of. */
  shown: readonly string[];
};

/** Renames the arguments to the declared parameters, with a sentence for each unknown argument: dropping it would change the call. */
function renameParameters(args: JsonObject, names: ParameterNames) {
  const renamed: JsonObject = {};
  const mistakes: string[] = [];
  let hasUnknown = false;
  for (const [name, value] of Object.entries(args)) {
    const canonical = names.declared.includes(name) ? name : names.aliases.get(name);
    if (canonical === undefined) {
      renamed[name] = value;
      hasUnknown = true;
      mistakes.push(unknownArgument(name, names));
    } else if (!Object.hasOwn(renamed, canonical)) {
      renamed[canonical] = value;
    } else if (!isDeepStrictEqual(renamed[canonical], value)) {
      mistakes.push(`${canonical} was sent more than once, under several names: send it once`);
    }
  }
  return { renamed, mistakes, hasUnknown };
}

function unknownArgument(name: string, { aliases, shown }: ParameterNames): string {
  const near = nearestName(name, [...shown, ...aliases.keys()]);
  const meant = near === null ? null : (aliases.get(near) ?? near);
  return `unknown argument \`${name.slice(0, 100)}\`${meant === null ? "" : `; did you mean \`${meant}\`?`}`;
}

/** Writes one sentence per mistake; models know the wording "missing required param". */
function sentencesOf(error: z.ZodError): string[] {
  return fieldErrors(error).map(({ path, message }) => {
    if (path && /^is missing; |received undefined$/.test(message)) return `missing required param: ${path}`;
    return path ? `${path}: ${message}` : message;
  });
}

function misfit(toolName: string, mistakes: readonly string[], takes: readonly string[] | null): string {
  const all = mistakes.map((mistake) => mistake.replace(/\.$/, "")).join("; ");
  const known = takes === null ? "" : ` ${toolName} takes ${takes.join(", ") || "no arguments"}.`;
  return `The arguments of ${toolName} do not fit its schema: ${all}${all.endsWith("?") ? "" : "."}${known} Send the call again with these corrected.`;
}
