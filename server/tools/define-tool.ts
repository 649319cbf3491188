import { z } from "zod";
import type { Json, JsonObject } from "@/contracts/common";
import type { CapabilityName, ToolEffect, ToolMode, ToolSource, ToolTier } from "@/contracts/tools";
import type { Capabilities } from "@/server/capabilities/capabilities";

/** What a tool answers. A plain value is shown to the model as text: strings as they are, the rest as JSON. */
export type ToolResult =
  | Json
  | {
      [resultMark]: true;
      text: string;
      isError?: boolean;
      structuredContent?: JsonObject;
      /** Parts that are not text (images, audio, files): kept as artifacts. */
      files?: { name: string; mediaType: string; bytes: Uint8Array }[];
    };

const resultMark = Symbol.for("handrail.ToolResult");
export type RichResult = Extract<ToolResult, { [resultMark]: true }>;

/** A result with more than one value in it: an in-band error, structured content, files. */
export function toolResult(result: Omit<RichResult, typeof resultMark>): RichResult {
  return { ...result, [resultMark]: true };
}

export function isRichResult(result: ToolResult): result is RichResult {
  return typeof result === "object" && result !== null && resultMark in result;
}

/** Something that only a person who may decide approvals can let pass. */
export type GateStep = {
  approve: { gate: string; question: string; options: readonly string[] };
  /** When an answer comes too late, in milliseconds since 1970. */
  expiresAt: number;
};

/** What a tool yields that works in steps: a line about where it is, a question that somebody answers, or a gate. */
export type Step = { say: string } | { ask: string; options?: readonly string[] } | GateStep;

/**
 * Work in steps. `next` gets the answer to the question that was yielded, an empty text after a line, and after a gate
 * JSON: `{ approved, comment }`.
 */
export type Steps = AsyncGenerator<Step, ToolResult, string>;

/** What every tool receives beside its capabilities. */
export type CallContext = {
  signal: AbortSignal;
  /** Milliseconds that this call may take; the pipeline aborts the signal then. */
  timeoutMs: number;
  /** One line for people about how far the work is ("Reading report.pdf, page 3 of 40"). */
  progress: (message: string) => void;
};

type Context<N extends CapabilityName> = Pick<Capabilities, N> & CallContext;

export type ToolSpec<I extends z.ZodObject, N extends CapabilityName> = {
  /** The function name that the model sees; snake_case. */
  name: string;
  title: string;
  /** For the model; under 400 characters. */
  description: string;
  family: string;
  tier: ToolTier;
  effect: ToolEffect;
  /** What it may touch; shown in the console, matched by rules, and all that `execute` receives. */
  needs: readonly N[];
  /** Old and foreign names that resolve to this tool before the guard. */
  aliases?: readonly string[];
  /** Old and foreign parameter names: `{ filePath: "path" }`. */
  parameterAliases?: Readonly<Record<string, string>>;
  /** The argument that says what the call is about; a rule's pattern sees it when it names no parameter. */
  primaryArgument?: string;
  /** May run beside its neighbours. Tools that only read are; the others wait for one another unless they say so. */
  concurrencySafe?: boolean;
  /** Running it twice does no more than running it once; recovery may start it again. Tools that only read are. */
  idempotent?: boolean;
  /** Marked with a warning in the console. */
  dangerous?: boolean;
  /** Always part of an agent's set, whatever is ticked (the framework's own tools). */
  alwaysOn?: boolean;
  /** Works in steps: `execute` is an async generator. It may wait for people, and its answers outlive a crash. */
  stateful?: boolean;
  /** May run as a background job: it takes the argument `runInBackground`. */
  backgroundable?: boolean;
  /** Shown nowhere until something makes it callable in a conversation: it costs no tokens before it can be of use. */
  hiddenUntilActive?: boolean;
  /** The result is never cut or moved to an artifact: the tool pages by itself. */
  neverSpilled?: boolean;
  timeoutMs?: number;
  input: I;
  execute: (input: z.output<I>, context: Context<N>) => Promise<ToolResult> | Steps;
};

/** Arguments after parsing, or a sentence that says what to send instead. */
export type ParsedArguments =
  | { ok: true; value: JsonObject }
  /** `renamed`: what was sent, under the parameters' own names. */
  | { ok: false; message: string; renamed?: JsonObject };

/** A tool of any source, its input type folded away: what the registry holds and the pipeline runs. */
export type AnyTool = {
  name: string;
  title: string;
  description: string;
  source: ToolSource;
  /** Id of the MCP server it comes from. */
  sourceRef: string | null;
  rawName: string;
  family: string;
  defaultTier: ToolTier;
  effect: ToolEffect;
  needs: readonly CapabilityName[];
  aliases: readonly string[];
  primaryArgument: string | null;
  concurrencySafe: boolean;
  idempotent: boolean;
  mode: ToolMode;
  backgroundable: boolean;
  dangerous: boolean;
  alwaysOn: boolean;
  hiddenUntilActive?: boolean;
  /** Switched off until an admin switches it on. */
  disabledAtFirst?: boolean;
  neverSpilled: boolean;
  timeoutMs: number;
  inputSchema: JsonObject;
  /** Why it is listed and can never be called, such as a schema that cannot be checked against. */
  unavailableReason?: string;
  /** Validates and completes arguments. The value that comes out is the one that is decided on, run and recorded. */
  parse: (args: JsonObject) => ParsedArguments;
  run: (parsedArguments: JsonObject, context: Capabilities & CallContext) => Promise<ToolResult> | Steps;
};

const defaultTimeoutMs = 30_000;

/** Makes a builtin tool from its description; everything that is the same for all tools happens in the pipeline. */
export function defineTool<I extends z.ZodObject, const N extends CapabilityName>(spec: ToolSpec<I, N>): AnyTool {
  const parameterAliases = new Map(Object.entries(spec.parameterAliases ?? {}));
  const onlyReads = spec.effect === "read";
  return {
    name: spec.name,
    title: spec.title,
    description: spec.description,
    source: "builtin",
    sourceRef: null,
    rawName: spec.name,
    family: spec.family,
    defaultTier: spec.tier,
    effect: spec.effect,
    needs: spec.needs,
    aliases: spec.aliases ?? [],
    primaryArgument: spec.primaryArgument ?? null,
    concurrencySafe: spec.concurrencySafe ?? onlyReads,
    idempotent: spec.idempotent ?? onlyReads,
    mode: spec.stateful ? "stateful" : "direct",
    backgroundable: spec.backgroundable ?? false,
    dangerous: spec.dangerous ?? false,
    alwaysOn: spec.alwaysOn ?? false,
    hiddenUntilActive: spec.hiddenUntilActive ?? false,
    neverSpilled: spec.neverSpilled ?? false,
    timeoutMs: spec.timeoutMs ?? defaultTimeoutMs,
    inputSchema: inputSchemaOf(spec.input),
    parse: (args) => {
      const renamed = Object.fromEntries(
        Object.entries(args).map(([name, value]) => {
          const canonical = parameterAliases.get(name);
          return canonical && !(canonical in args) ? [canonical, value] : [name, value];
        }),
      );
      const parsed = spec.input.safeParse(renamed);
      return parsed.success
        ? { ok: true, value: parsed.data as JsonObject }
        : { ok: false, message: describeIssues(parsed.error, spec.name), renamed };
    },
    run: (parsedArguments, context) => spec.execute(parsedArguments as z.output<I>, context),
  };
}

function inputSchemaOf(input: z.ZodObject): JsonObject {
  const { $schema, ...schema } = z.toJSONSchema(input, { io: "input" });
  return schema as JsonObject;
}

/** One sentence a mistake, and what to do about it; "missing required param" is the wording that models know. */
export function describeIssues(error: z.ZodError, toolName: string): string {
  const sentences = error.issues.map((issue) => {
    const path = issue.path.join(".");
    if (issue.code === "invalid_type" && path && issue.message.endsWith("received undefined")) return `missing required param: ${path}`;
    return path ? `${path}: ${issue.message}` : issue.message;
  });
  return `The arguments of ${toolName} do not fit its schema: ${sentences.join("; ")}. Send the call again with these corrected.`;
}
