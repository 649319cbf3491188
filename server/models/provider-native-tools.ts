import type { LanguageModelV4ProviderTool } from "@ai-sdk/provider";
import type { ProviderKind } from "@/contracts/models/models";
import type { NativeTool } from "./model-request";

type Form = Pick<LanguageModelV4ProviderTool, "id" | "args">;
type ToForm = (options: Readonly<Record<string, unknown>>) => Form;

/** Members that are set, under the names of the SDK. */
const args = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** The tools that each kind of provider runs itself. Chat completions have none. */
const forms: Readonly<Record<ProviderKind, Partial<Record<NativeTool["kind"], ToForm>>>> = {
  openai_compatible: {},
  openai_responses: {
    image_generation: ({ output_format, size, quality, background, action }) => ({
      id: "openai.image_generation",
      args: args({ outputFormat: output_format, size, quality, background, action }),
    }),
    web_search: ({ search_context_size }) => ({ id: "openai.web_search", args: args({ searchContextSize: search_context_size }) }),
    code_execution: () => ({ id: "openai.code_interpreter", args: {} }),
  },
  anthropic: {
    web_search: ({ max_uses }) => ({ id: "anthropic.web_search_20250305", args: args({ maxUses: max_uses }) }),
    code_execution: () => ({ id: "anthropic.code_execution_20250825", args: {} }),
  },
  google: {
    web_search: () => ({ id: "google.google_search", args: {} }),
    code_execution: () => ({ id: "google.code_execution", args: {} }),
  },
};

/** Generations of Gemini before the third take either functions or the provider's own tools. */
const takesBoth = (kind: ProviderKind, model: string) => kind !== "google" || Number(/gemini-(\d+)/.exec(model)?.[1] ?? 0) >= 3;

/** Returns the native tools that a provider has, in its SDK's form; the others are left out silently. */
export function toProviderTools(
  tools: readonly NativeTool[],
  { kind, model, hasFunctions }: { kind: ProviderKind; model: string; hasFunctions: boolean },
): LanguageModelV4ProviderTool[] {
  if (hasFunctions && !takesBoth(kind, model)) return [];
  return tools.flatMap(({ kind: native, name, options }) => {
    const form = forms[kind][native]?.(options);
    return form ? [{ type: "provider" as const, name, ...form }] : [];
  });
}

/** Names on the wire that a provider's own tools have, so that no function may have them. */
export function takenNames(kind: ProviderKind, tools: readonly LanguageModelV4ProviderTool[]): ReadonlySet<string> {
  return new Set(kind === "anthropic" ? tools.map(({ id }) => (id.includes("web_search") ? "web_search" : "code_execution")) : []);
}
