import "server-only";
import type { Json } from "@/contracts/common";
import type { ToolFormat, ToolListing } from "@/contracts/conversations";
import { sourceLabel } from "@/contracts/tools";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { promptHint } from "@/server/platform/prompt-hints";
import type { RegisteredTool } from "./catalog";
import { countTokens } from "./count-tokens";
import type { Disclosed } from "./disclosure";
import { providerForm, providerForms } from "./provider/provider-tools";
import { serverInstructions } from "./server-instructions";

type Shown = Pick<
  RegisteredTool,
  "name" | "title" | "shownDescription" | "source" | "sourceName" | "tier" | "effect" | "concurrencySafe" | "shownInputSchema"
> & { sourceInstructions?: string | null };

const descriptionLimit = 80;

/** Returns one line of the directory: name, source and description. */
export function directoryLine(tool: Pick<Shown, "name" | "source" | "sourceName" | "shownDescription">): string {
  const words = tool.shownDescription.replace(/\s+/g, " ").trim();
  const characters = [...words];
  const short = characters.length > descriptionLimit ? `${characters.slice(0, descriptionLimit).join("").trimEnd()}...` : words;
  return `- ${tool.name} (${sourceLabel(tool)}): ${short}`;
}

/** Returns one tool in full, in a provider's format; null for another provider's own tool. */
export function advertise(tool: Shown, format: ToolFormat): Json {
  if (tool.source === "provider" && format !== "handrail") return providerForm(tool.name, format) ?? null;
  const { name, title, shownDescription: description, shownInputSchema: inputSchema } = tool;
  switch (format) {
    case "openai":
      return { type: "function", function: { name, description, parameters: inputSchema } };
    case "anthropic":
      return { name, description, input_schema: inputSchema };
    case "gemini":
      return { name, description, parametersJsonSchema: inputSchema };
    case "mcp":
      return {
        name,
        title,
        description,
        inputSchema,
        annotations: { title, readOnlyHint: tool.effect === "read", destructiveHint: tool.effect === "destroy" },
      };
    case "handrail":
      return {
        name,
        title,
        description,
        source: sourceLabel(tool),
        tier: tool.tier,
        effect: tool.effect,
        ...(tool.source === "provider" ? { forms: providerForms(name) } : { inputSchema }),
      };
  }
}

function advertiseAll(tools: readonly Shown[], format: ToolFormat): Json[] {
  const each = (of: readonly Shown[]) => of.map((tool) => advertise(tool, format)).filter((shown) => shown !== null);
  if (format !== "gemini") return each(tools);
  // Gemini takes one tool that holds all functions, beside its own tools.
  const functions = each(tools.filter(({ source }) => source !== "provider"));
  const own = each(tools.filter(({ source }) => source === "provider"));
  return [...(functions.length > 0 ? [{ functionDeclarations: functions }] : []), ...own];
}

const hint = () => `The tools in the directory are not callable yet. ${promptHint("directory")}`.trimEnd();

/** Builds the listing for the model. The same state gives the same bytes, so that prompt caches hit. */
export function presentListing({ advertised, directory }: Disclosed<Shown>, format: ToolFormat): ToolListing {
  const tools = advertiseAll(advertised, format);
  const lines = directory.map(directoryLine);
  const tiers = lines.length > 0 ? ["Extension tools:", ...lines].join("\n") : "";
  const text = [tiers, serverInstructions([...advertised, ...directory])].filter(Boolean).join("\n\n");
  const hints = lines.length > 0 ? hint() : "";
  const toolTokens = tools.length > 0 ? countTokens(JSON.stringify(tools)) : 0;
  const directoryTokens = text ? countTokens(`${text}\n${hints}`) : 0;
  const inFull = directory.reduce((sum, tool) => sum + countTokens(JSON.stringify(advertise(tool, format))), 0);
  return {
    tools,
    directory: text,
    hints,
    tokens: { tools: toolTokens, directory: directoryTokens, saved: Math.max(0, inFull - directoryTokens) },
    toolsHash: sha256(canonicalJson({ tools, text, hints })),
  };
}

/** Counts the tokens that one tool costs on every model step, in each tier. */
export function countToolTokens(tool: Shown): { core: number; extension: number } {
  const shown = tool.source === "provider" ? (Object.values(providerForms(tool.name))[0] ?? null) : advertise(tool, "openai");
  return { core: countTokens(JSON.stringify(shown)), extension: countTokens(directoryLine(tool)) };
}
