import "server-only";
import type { Json, JsonObject } from "@/contracts/common";
import type { ToolFormat, ToolListing } from "@/contracts/conversations/conversations";
import { sourceLabel } from "@/contracts/tools/tools";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { definePromptHint } from "@/server/platform/extension-points/prompt-hints";
import { declaredOutput } from "../pins/pin-columns";
import { fitTool } from "../provider/fit-tool";
import { findProviderRules } from "../provider/provider-rules";
import { providerForm, providerForms } from "../provider/provider-tools";
import type { RegisteredTool } from "../registered-tool";
import type { Guidance } from "../tool-traits";
import { countTokens } from "./count-tokens";
import { type Directory, directoryLine, writeDirectory } from "./directory";
import type { Disclosed } from "./disclosure";
import { serverInstructions } from "./server-instructions";

/** The directory of extension tools was shown. */
export const directoryUse = definePromptHint("directory");
/** The directory of extension tools was shortened to its sources, because a line for each tool would cost too much. */
export const shortenedDirectoryUse = definePromptHint("shortened_directory");

type Shown = Pick<
  RegisteredTool,
  "name" | "title" | "shownDescription" | "source" | "sourceName" | "tier" | "effect" | "concurrencySafe" | "shownInputSchema"
> & { sourceInstructions?: string | null; nativeOptions?: JsonObject; guidance?: RegisteredTool["guidance"] } & Partial<
    Pick<RegisteredTool, "schemaDialect" | "outputSchema" | "rawName" | "annotations" | "meta">
  >;

/** Tokens of the directory with its hints, however many tools there are. */
const directoryTokenBudget = 1_400;
/** Tokens of the directory, all hints and the instructions of servers, however many tools and servers there are. */
const promptTokenBudget = 2_000;
const maxCounted = 1_000;

/** Returns one tool in full, in a provider's format; null for a tool that the provider does not have or would refuse. */
export function advertise(tool: Shown, format: ToolFormat): Json {
  if (tool.source === "provider" && format !== "handrail") return providerForm(tool.name, format, tool.nativeOptions) ?? null;
  const { name, title } = tool;
  const { description, inputSchema, refusal } = fitTool(tool, format);
  if (refusal !== null) return null;
  switch (format) {
    case "openai":
      return { type: "function", function: { name, description, parameters: inputSchema } };
    case "openai-responses":
      // `strict` is on by default there, and would refuse every schema with an optional argument.
      return { type: "function", name, description, parameters: inputSchema, strict: false };
    case "anthropic":
      return { name, description, input_schema: inputSchema };
    case "gemini":
      return { name, description, parametersJsonSchema: inputSchema };
    case "mcp": {
      const outputSchema = tool.outputSchema ? declaredOutput({ outputSchema: tool.outputSchema }) : null;
      return {
        name,
        ...titleAndHints(tool),
        description,
        inputSchema: tool.schemaDialect ? { $schema: tool.schemaDialect, ...inputSchema } : inputSchema,
        ...(outputSchema ? { outputSchema } : {}),
        _meta: { ...tool.meta, "handrail/effect": tool.effect },
      };
    }
    case "handrail":
      return {
        name,
        title,
        description,
        source: sourceLabel(tool),
        tier: tool.tier,
        effect: tool.effect,
        ...(tool.source === "provider" ? { forms: providerForms(name, tool.nativeOptions) } : { inputSchema }),
      };
  }
}

/** The title and hints of a foreign server are passed on as it sent them: clients warn by them. What counts here is in `_meta`. */
function titleAndHints({ source, title, rawName, annotations, effect }: Shown): JsonObject {
  if (source !== "mcp") return { title, annotations: { title, readOnlyHint: effect === "read", destructiveHint: effect === "destroy" } };
  const hasHints = annotations != null && Object.keys(annotations).length > 0;
  return { ...(title === rawName ? {} : { title }), ...(hasHints ? { annotations: { ...annotations } } : {}) };
}

function advertiseAll(given: readonly Shown[], format: ToolFormat): Json[] {
  const tools = withoutNamesOfProvider(given, format);
  const each = (of: readonly Shown[]) => of.map((tool) => advertise(tool, format)).filter((shown) => shown !== null);
  if (format !== "gemini") return each(tools);
  // Gemini takes one tool that holds all functions, beside its own tools.
  const functions = each(tools.filter(({ source }) => source !== "provider"));
  const own = each(tools.filter(({ source }) => source === "provider"));
  return [...(functions.length > 0 ? [{ functionDeclarations: functions }] : []), ...own];
}

/**
 * Renames functions that have the name of a provider's own tool, because Anthropic refuses two tools of one name and its
 * search is called `web_search`. The suffix is one that every name is found without.
 */
function withoutNamesOfProvider(tools: readonly Shown[], format: ToolFormat): readonly Shown[] {
  if (format === "handrail") return tools;
  const taken = new Set(tools.filter(({ source }) => source === "provider").map(({ name }) => providerForm(name, format)?.name));
  return tools.map((tool) => (tool.source !== "provider" && taken.has(tool.name) ? { ...tool, name: `${tool.name}_tool` } : tool));
}

/** Tokens are kept by the tool's object, which the catalog replaces when the configuration changes. */
const tokensByTool = new WeakMap<Shown, Map<ToolFormat, number>>();

/** Returns the tokens of one tool in full; 0 when the format leaves the tool out. */
export function countSchemaTokens(tool: Shown, format: ToolFormat): number {
  const known = tokensByTool.get(tool) ?? new Map<ToolFormat, number>();
  tokensByTool.set(tool, known);
  let tokens = known.get(format);
  if (tokens === undefined) {
    const shown = advertise(tool, format);
    tokens = shown === null ? 0 : countTokens(JSON.stringify(shown));
    known.set(format, tokens);
  }
  return tokens;
}

/** Sums the tokens of tools in full. Above a number of tools the rest is estimated, because counting ten thousand takes a second. */
export function sumSchemaTokens(tools: readonly Shown[], format: ToolFormat): number {
  const counted = tools.slice(0, maxCounted).reduce((sum, tool) => sum + countSchemaTokens(tool, format), 0);
  return tools.length <= maxCounted ? counted : Math.round((counted * tools.length) / maxCounted);
}

function hintsFor({ text, isShortened }: Directory): string {
  if (text === "") return "";
  const situation = isShortened ? "" : "The tools in the directory are not callable yet. ";
  return `${situation}${(isShortened ? shortenedDirectoryUse : directoryUse).text()}`.trim();
}

/** Returns the sentences of one place, each once, however many tools share it. */
function guidanceOf(tools: readonly Shown[], place: Guidance["place"]): string[] {
  return [...new Set(tools.flatMap(({ guidance }) => (guidance?.place === place ? [guidance.text] : [])))];
}

/** A listing without what depends on the conversation. */
export type ScopeListing = Omit<ToolListing, "sections">;

/** Builds the listing for the model. The same state gives the same bytes, so that prompt caches hit. */
export function presentListing({ advertised, directory }: Disclosed<Shown>, format: ToolFormat): ScopeListing {
  const tools = advertiseAll(advertised, format);
  const all = [...advertised, ...directory];
  const leftOut = all.flatMap((tool) => {
    const { refusal } = tool.source === "provider" ? { refusal: null } : fitTool(tool, format);
    return refusal === null ? [] : [{ tool: tool.name, reason: `Left out: ${refusal}.` }];
  });
  const refused = new Set(leftOut.map(({ tool }) => tool));
  const listed = refused.size === 0 ? directory : directory.filter(({ name }) => !refused.has(name));
  const written = writeDirectory(listed, directoryTokenBudget - countTokens(shortenedDirectoryUse.text()));
  const hints = [
    ...guidanceOf(advertised, "first"),
    hintsFor(written),
    ...guidanceOf(advertised, "normal"),
    ...guidanceOf(advertised, "last"),
  ]
    .filter(Boolean)
    .join("\n");
  const left = promptTokenBudget - countTokens(`${written.text}\n\n\n${hints}`);
  const text = [written.text, serverInstructions(all, left)].filter(Boolean).join("\n\n");
  const toolTokens = tools.length > 0 ? countTokens(JSON.stringify(tools)) : 0;
  const directoryTokens = text || hints ? countTokens(`${text}\n${hints}`) : 0;
  const inFull = sumSchemaTokens(listed, format);
  return {
    tools,
    directory: text,
    hints,
    tokens: { tools: toolTokens, directory: directoryTokens, saved: Math.max(0, inFull - directoryTokens) },
    leftOut,
    warnings: warningsFor(advertised.length - advertised.filter(({ name }) => refused.has(name)).length, format),
    toolsHash: sha256(canonicalJson({ tools, text, hints })),
  };
}

function warningsFor(functions: number, format: ToolFormat): string[] {
  const rules = findProviderRules(format);
  if (!rules || rules.maxFunctions === null || functions <= rules.maxFunctions) return [];
  return [
    `${rules.title} takes at most ${rules.maxFunctions} functions a request, and this listing has ${functions}. Move tools to Extension, or tick fewer for the agent.`,
  ];
}

/** Counts the tokens that one tool costs on every model step, in each tier. */
export function countToolTokens(tool: Shown): { core: number; extension: number } {
  const core =
    tool.source === "provider"
      ? countTokens(JSON.stringify(Object.values(providerForms(tool.name))[0] ?? null))
      : // A tool that OpenAI would refuse still costs its tokens elsewhere.
        countSchemaTokens(tool, "openai") || countSchemaTokens(tool, "anthropic") || countSchemaTokens(tool, "handrail");
  return { core, extension: countTokens(directoryLine(tool)) };
}
