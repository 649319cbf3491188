import type { JsonObject } from "@/contracts/common";
import type { ToolFormat } from "@/contracts/conversations";
import type { AnyTool } from "../define-tool";

type Forms = Partial<Record<ToolFormat, JsonObject>>;
type Spec = { name: string; title: string; description: string; forms: Forms };

/**
 * Tools that a model's provider runs itself: Handrail advertises them in the provider's own format and never runs them.
 * Chat completions (`openai`) take functions only. The formats come from the providers' references: OpenAI "Built-in tools" (Responses API), Anthropic "Server tools",
 * Gemini "Grounding" and "Code execution".
 */
const specs: readonly Spec[] = [
  {
    name: "provider_code_execution",
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
    title: "Images by the provider",
    description: "Makes images with the model provider's own generator.",
    forms: { "openai-responses": { type: "image_generation" } },
  },
  {
    name: "provider_web_search",
    title: "Web search by the provider",
    description: "Searches the web with the model provider's own search.",
    forms: {
      "openai-responses": { type: "web_search" },
      anthropic: { type: "web_search_20250305", name: "web_search" },
      gemini: { googleSearch: {} },
    },
  },
];

const formsByName = new Map(specs.map(({ name, forms }) => [name, forms]));

/** Returns a provider tool in that provider's format; undefined when the provider has no such tool. */
export function providerForm(name: string, format: ToolFormat): JsonObject | undefined {
  return formsByName.get(name)?.[format];
}

/** Returns the formats of every provider that has the tool. */
export const providerForms = (name: string): Forms => formsByName.get(name) ?? {};

/** Disabled until an admin enables them, because the provider bills and sees their use, not Handrail. */
export const providerTools: readonly AnyTool[] = specs.map(({ name, title, description }) => ({
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
  aliases: [],
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
