import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { ActorRef, Json, JsonObject } from "@/contracts/common";
import type { ProgramPlace } from "@/contracts/shell";
import type { ToolEffect, ToolMode, ToolSource, ToolTier } from "@/contracts/tools";
import type { KeptDefinition } from "@/db/schema";
import type { Capability } from "@/server/capabilities/define-capability";
import type { DeclaredEffect } from "@/server/guard/effects/declare-effects";
import { fieldErrors } from "@/server/platform/field-errors";
import type { EscalationBridge } from "@/server/policy/own-tools";
import type { AvailabilityCheck, WorkspaceAvailabilityCheck } from "./availability-check";
import { nearestName } from "./nearest-name";
import { repairName } from "./resolve-name";
import { backgroundArgument } from "./run-in-background";

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
    };

/** A part of a result that is no text. `uri`: its address at the server that embedded it. */
export type ResultFile = { name: string; mediaType: string; bytes: Uint8Array; uri?: string };

/** A text that a server embedded in a result. */
export type EmbeddedText = { uri: string; mediaType: string | null; text: string };

/** A resource that a server links to. */
export type ResultLink = { uri: string; mediaType: string | null; name: string; description: string };

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

/** The lines of a file that a result shows, from 1; `total` is the number of the file's lines. */
export type LinesRead = { from: number; to: number; total: number };

/** The file that a call changes, and a function from its old to its new text; null when the call would fail. */
export type FileChange = { path: string; after: (before: string) => string | null };

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
  progress: (message: string) => void;
  /** W3C Trace Context of the call's request, for requests that the tool sends. */
  traceparent?: string;
  origin?: CallOrigin;
  /**
   * Asks a person while the call runs; its time limit does not count the wait. Absent where nobody can be asked.
   * @throws AppError `conflict` when somebody declined, `timed_out` when nobody answered in time, `unavailable` when nobody
   * can be asked
   */
  ask?: (question: PersonQuestion) => Promise<string>;
  /**
   * Waits for work elsewhere that has limits of its own, such as another agent's run. Meanwhile the call's time limit
   * stands still and the call holds no slot. Absent for stateful tools, and outside a turn.
   */
  waitElsewhere?: <T>(wait: () => Promise<T>) => Promise<T>;
};

/** The parameters of a carrier that hold the other tool's name and its arguments. */
export type CallCarrier = { toolParameter: string; argumentsParameter: string };

/** A sentence about a tool in the listing's hints, and its place among those of other tools. */
export type Guidance = { text: string; place: "first" | "normal" | "last" };

/** The conversation whose state completes a call's arguments; `folder` is absolute. */
export type CompletionScope = { workspaceId: string; conversationId: string; folder: string };

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
  /** Old and foreign names; they resolve to this tool before the guard. */
  aliases?: readonly string[];
  /** Old and foreign parameter names: `{ filePath: "path" }`. */
  parameterAliases?: Readonly<Record<string, string>>;
  /** Default arguments of calls by an alias: `{ grep: { regex: true } }`. */
  aliasDefaults?: Readonly<Record<string, JsonObject>>;
  /** The argument that identifies the call's target; a rule's pattern without a parameter is matched against it. */
  primaryArgument?: string;
  /** The tool may run in parallel with its neighbours. Default: true for tools that only read. */
  concurrencySafe?: boolean;
  /** A second run does no more than the first, so recovery may repeat the call. Default: true for tools that only read. */
  idempotent?: boolean;
  /** A call that starts again continues the work of its first start, because the tool stores it. Recovery may repeat it although it changes something. */
  resumes?: boolean;
  /** The console marks the tool with a warning. */
  dangerous?: boolean;
  /** Always part of an agent's set, whether ticked or not (the framework's own tools). */
  alwaysOn?: boolean;
  /** The tool works in steps: `execute` is an async generator, which may wait for people. Its answers survive a crash. */
  stateful?: boolean;
  /** May run as a background job: accepts the argument `runInBackground`. */
  backgroundable?: boolean;
  /** Calls that always become background jobs, because nobody waits for minutes. Only with `backgroundable`. */
  startsInBackground?: (input: z.output<I>) => boolean;
  /** Hidden until the conversation has a background job, because the tool would cost tokens without use. */
  hiddenUntilActive?: boolean;
  /** No model sees or calls it: Handrail itself does, in a conversation that was opened for this tool. Only with `hiddenUntilActive`. */
  isInternal?: boolean;
  /** Neither shown nor callable in a conversation whose channel is a group. */
  hiddenInGroups?: boolean;
  /** Equal calls with equal results are no loop, because the tool waits for something. */
  mayRepeat?: boolean;
  /** The result is never cut or moved to an artifact, because the tool pages by itself. */
  neverSpilled?: boolean;
  /** The model needs its results to the end: they stay word for word when a conversation is summarised. */
  pinsResults?: boolean;
  /** Characters of a result that the model reads, when they are fewer than the workspace's limit. */
  resultChars?: number;
  /** Reads the rest of cut results. Cut results name this tool, so it is part of every agent's set. */
  readsArtifacts?: boolean;
  /** Finds which lines of the file at the primary argument a result shows. A conversation that saw all of them may replace the file. */
  linesRead?: (result: string, path: string) => LinesRead | null;
  /** Reads resources that results link to; shown from the conversation's first link on. */
  readsLinkedResources?: boolean;
  /** The tool's call carries the call of another tool. That call is submitted in its place. */
  carrier?: CallCarrier;
  /** The tool carries out tools on the escalate surface: part of every agent's set, and listed last. */
  bridge?: EscalationBridge;
  /** Refuses a carried call until the conversation's model has read the tool's documentation, or sees the tool in full. */
  needsInfo?: boolean;
  /** Documentation beyond the description, for a model that asks: when to use the tool, and what people get wrong. */
  documentation?: string;
  /** A sentence of every listing that shows the tool in full: how to work with it. */
  guidance?: Guidance;
  /** Checks whether this machine can run the tool; while it cannot, no model sees the tool and the console shows the reason. */
  availability?: AvailabilityCheck;
  timeoutMs?: number;
  /** Checks whether the workspace's settings let the tool run: the reason when they do not. Read with the catalog. */
  workspaceAvailability?: WorkspaceAvailabilityCheck;
  input: I;
  /** Returns the effects of a call with these arguments. Without this function, the guard uses `effect`, the tool's worst case. */
  effects?: (input: z.output<I>) => readonly DeclaredEffect[];
  /** Completes arguments from the state of the conversation. The guard decides the completed call, and that call runs. */
  completeArguments?: (input: z.output<I>, scope: CompletionScope) => Promise<z.output<I>>;
  /**
   * Finds where the programs of a call run, when that is settled before the call: in a process that runs already, or in a
   * sandbox without openings. Null when the call's own effects decide.
   */
  programPlace?: (input: z.output<I>, conversationId: string) => Promise<ProgramPlace | null>;
  /** Returns the one file that a call with these arguments changes, for the person who decides the call; null for several files. */
  changesFile?: (input: z.output<I>) => FileChange | null;
  execute: (input: z.output<I>, context: Given<N> & ToolCallContext) => Promise<ToolResult> | Steps;
};

/** The parsed arguments, or a sentence that says what to send instead. */
export type ParsedArguments =
  | { ok: true; value: JsonObject }
  /** `renamed`: the given arguments under the parameters' own names. */
  | { ok: false; message: string; renamed?: JsonObject };

/** A tool of any source without its input type: the form for the registry and the pipeline. */
export type AnyTool = {
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
  aliases: readonly string[];
  /** Other names of parameters; absent for a tool that takes its own names only. */
  parameterAliases?: Readonly<Record<string, string>>;
  primaryArgument: string | null;
  concurrencySafe: boolean;
  idempotent: boolean;
  resumes?: boolean;
  mode: ToolMode;
  backgroundable: boolean;
  /** Returns true for a call that becomes a background job whether the model asks for it or not. */
  startsInBackground?: (parsedArguments: JsonObject) => boolean;
  dangerous: boolean;
  alwaysOn: boolean;
  hiddenUntilActive?: boolean;
  isInternal?: boolean;
  hiddenInGroups?: boolean;
  mayRepeat?: boolean;
  /** Disabled until an admin enables the tool. */
  disabledAtFirst?: boolean;
  neverSpilled: boolean;
  pinsResults?: boolean;
  resultChars?: number;
  readsArtifacts?: boolean;
  linesRead?: (result: string, path: string) => LinesRead | null;
  readsLinkedResources?: boolean;
  carrier?: CallCarrier;
  bridge?: EscalationBridge;
  needsInfo?: boolean;
  documentation?: string;
  guidance?: Guidance;
  availability?: AvailabilityCheck;
  timeoutMs: number;
  inputSchema: JsonObject;
  /** Definition of an MCP tool, compared with its pin; only the hash for a tool that was made from its row. */
  definition?: KeptDefinition | Pick<KeptDefinition, "hash">;
  workspaceAvailability?: WorkspaceAvailabilityCheck;
  /** The reason why the tool is listed but never callable, such as an invalid schema. */
  unavailableReason?: string;
  /** Returns the effects of a call with these parsed arguments; absent when the tool declares none. */
  effects?: (parsedArguments: JsonObject) => readonly DeclaredEffect[];
  /** Completes parsed arguments from the state of the conversation; absent when a call depends on its arguments alone. */
  completeArguments?: (parsedArguments: JsonObject, scope: CompletionScope) => Promise<JsonObject>;
  /** Finds where the programs of a call run, when that is settled before the call. */
  programPlace?: (parsedArguments: JsonObject, conversationId: string) => Promise<ProgramPlace | null>;
  /** Returns the one file that a call with these parsed arguments changes; absent when a call changes none, and null for several. */
  changesFile?: (parsedArguments: JsonObject) => FileChange | null;
  /**
   * Validates and completes arguments. The returned value is decided on, run and recorded.
   * @param requestedName as the model wrote it; an alias may have its own defaults
   */
  parse: (args: JsonObject, requestedName?: string) => ParsedArguments;
  run: (parsedArguments: JsonObject, context: ToolCallContext & Readonly<Record<string, unknown>>) => Promise<ToolResult> | Steps;
};

const defaultTimeoutMs = 30_000;

/** Creates a builtin tool from its specification. Behaviour common to all tools lives in the pipeline. */
export function defineTool<I extends z.ZodObject, const N extends Capability>(spec: ToolSpec<I, N>): AnyTool {
  const names: ParameterNames = {
    declared: Object.keys(spec.input.shape),
    aliases: new Map(Object.entries(spec.parameterAliases ?? {})),
    // The background argument is not part of the input schema: the pipeline removes it before parsing.
    shown: [...Object.keys(spec.input.shape), ...(spec.backgroundable ? [backgroundArgument] : [])],
  };
  const aliasDefaults = new Map(Object.entries(spec.aliasDefaults ?? {}).map(([alias, defaults]) => [repairName(alias), defaults]));
  const onlyReads = spec.effect === "read";
  const { effects, changesFile, completeArguments, programPlace, startsInBackground } = spec;
  return {
    ...(startsInBackground ? { startsInBackground: (parsed) => startsInBackground(parsed as z.output<I>) } : {}),
    ...(effects ? { effects: (parsed) => effects(parsed as z.output<I>) } : {}),
    ...(completeArguments
      ? { completeArguments: async (parsed, scope) => (await completeArguments(parsed as z.output<I>, scope)) as JsonObject }
      : {}),
    ...(programPlace ? { programPlace: (parsed, conversationId) => programPlace(parsed as z.output<I>, conversationId) } : {}),
    ...(changesFile ? { changesFile: (parsed) => changesFile(parsed as z.output<I>) } : {}),
    name: spec.name,
    title: spec.title,
    description: spec.description,
    source: "builtin",
    sourceRef: null,
    rawName: spec.name,
    family: spec.family,
    defaultTier: spec.tier,
    effect: spec.effect,
    needs: spec.needs.map(({ name }) => name),
    capabilities: spec.needs,
    aliases: spec.aliases ?? [],
    ...(spec.parameterAliases ? { parameterAliases: spec.parameterAliases } : {}),
    primaryArgument: spec.primaryArgument ?? null,
    concurrencySafe: spec.concurrencySafe ?? onlyReads,
    idempotent: spec.idempotent ?? (onlyReads || spec.resumes === true),
    ...(spec.resumes ? { resumes: true } : {}),
    mode: spec.stateful ? "stateful" : "direct",
    backgroundable: spec.backgroundable ?? false,
    dangerous: spec.dangerous ?? false,
    alwaysOn: spec.alwaysOn ?? false,
    hiddenUntilActive: spec.hiddenUntilActive ?? false,
    isInternal: spec.isInternal ?? false,
    hiddenInGroups: spec.hiddenInGroups ?? false,
    mayRepeat: spec.mayRepeat ?? false,
    neverSpilled: spec.neverSpilled ?? false,
    pinsResults: spec.pinsResults ?? false,
    readsArtifacts: spec.readsArtifacts ?? false,
    readsLinkedResources: spec.readsLinkedResources ?? false,
    ...(spec.resultChars ? { resultChars: spec.resultChars } : {}),
    ...(spec.linesRead ? { linesRead: spec.linesRead } : {}),
    ...(spec.carrier ? { carrier: spec.carrier } : {}),
    ...(spec.bridge ? { bridge: spec.bridge } : {}),
    ...(spec.workspaceAvailability ? { workspaceAvailability: spec.workspaceAvailability } : {}),
    ...(spec.needsInfo ? { needsInfo: true } : {}),
    ...(spec.documentation ? { documentation: spec.documentation } : {}),
    ...(spec.guidance ? { guidance: spec.guidance } : {}),
    ...(spec.availability ? { availability: spec.availability } : {}),
    timeoutMs: spec.timeoutMs ?? defaultTimeoutMs,
    inputSchema: inputSchemaOf(spec.input),
    parse: (args, requestedName) => {
      const defaults = requestedName === undefined ? undefined : aliasDefaults.get(repairName(requestedName));
      const { renamed, mistakes, hasUnknown } = renameParameters(args, names);
      const completed = { ...defaults, ...renamed };
      const parsed = spec.input.safeParse(completed);
      if (parsed.success && mistakes.length === 0) return { ok: true, value: parsed.data as JsonObject };
      const issues = parsed.success ? [] : sentencesOf(parsed.error);
      return { ok: false, message: misfit(spec.name, [...issues, ...mistakes], hasUnknown ? names.shown : null), renamed: completed };
    },
    run: (parsedArguments, context) => spec.execute(parsedArguments as z.output<I>, context as Given<N> & ToolCallContext),
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
