import type { JsonObject } from "@/contracts/common";
import type { ToolFormat } from "@/contracts/conversations/conversations";
import type { NativeTool } from "@/server/models/model-request";
import type { AnyTool } from "../define-tool";

type Forms = Partial<Record<ToolFormat, JsonObject>>;
type Spec = {
  name: string;
  kind: NativeTool["kind"];
  title: string;
  description: string;
  aliases?: readonly string[];
  forms: Forms;
  /** Options that a format takes, by name; the others are left out. */
  takes?: Partial<Record<ToolFormat, readonly string[]>>;
};

/**
 * Tools that a model's provider runs itself: Handrail advertises them in the provider's own format and never runs them.
 * Chat completions (`openai`) take functions only. The formats come from the providers' references: OpenAI "Built-in tools" (Responses API), Anthropic "Server tools",
 * Gemini "Grounding" and "Code execution".
 */
const specs: readonly Spec[] = [
  {
    name: "provider_code_execution",
    kind: "code_execution",
    title: "Code execution by the provider",
    description: "Runs code in the model provider's own sandbox.",
    forms: {
      "openai-responses": { type: "code_interpreter", container: { type: "auto" } },
      anthropic: { type: "code_execution_20250825", name: "code_execution" },
      gemini: { codeExecution: {} },
    },
  },
  {
    name: "provider_image_generation",
    kind: "image_generation",
    aliases: ["image_gen", "imageGen", "ImageGenTool"],
    title: "Images by the provider",
    description: "Makes images with the model provider's own generator.",
    forms: { "openai-responses": { type: "image_generation" } },
    takes: { "openai-responses": ["output_format", "size", "quality", "background", "action"] },
  },
  {
    name: "provider_web_search",
    kind: "web_search",
    title: "Web search by the provider",
    description: "Searches the web with the model provider's own search.",
    forms: {
      "openai-responses": { type: "web_search" },
      anthropic: { type: "web_search_20250305", name: "web_search" },
      gemini: { googleSearch: {} },
    },
    takes: { "openai-responses": ["search_context_size"], anthropic: ["max_uses"] },
  },
];

const specsByName = new Map(specs.map((spec) => [spec.name, spec]));

/** Returns a provider tool with its options in that provider's format; undefined when the provider has no such tool. */
export function providerForm(name: string, format: ToolFormat, options: JsonObject = {}): JsonObject | undefined {
  const spec = specsByName.get(name);
  const form = spec?.forms[format];
  if (!form) return undefined;
  const taken = (spec.takes?.[format] ?? []).filter((option) => options[option] !== undefined);
  return { ...form, ...Object.fromEntries(taken.map((option) => [option, options[option] ?? null])) };
}

/** Returns the formats of every provider that has the tool. */
export function providerForms(name: string, options: JsonObject = {}): Forms {
  const formats = Object.keys(specsByName.get(name)?.forms ?? {}) as ToolFormat[];
  return Object.fromEntries(formats.map((format) => [format, providerForm(name, format, options)]));
}

/** Returns what a provider tool does, whatever its provider calls it. */
export const nativeKind = (name: string): NativeTool["kind"] | null => specsByName.get(name)?.kind ?? null;

/** Disabled until an admin enables them, because the provider bills and sees their use, not Handrail. */
export const providerTools: readonly AnyTool[] = specs.map(({ name, title, description, aliases = [] }) => ({
  name,
  title,
  description,
  source: "provider",
  sourceRef: null,
  rawName: name,
  family: "provider",
  defaultTier: "core",
  effect: "read",
  needs: [],
  aliases,
  primaryArgument: null,
  concurrencySafe: true,
  idempotent: true,
  mode: "provider",
  backgroundable: false,
  dangerous: false,
  alwaysOn: false,
  disabledAtFirst: true,
  neverSpilled: false,
  timeoutMs: 30_000,
  inputSchema: { type: "object", properties: {} },
  parse: (args) => ({ ok: true, value: args }),
  run: () => Promise.reject(new Error(`${name} is run by the model's provider`)),
}));
