import type { JsonObject } from "@/contracts/common";
import type { ToolFormat } from "@/contracts/conversations/conversations";
import { normalizeSchema } from "./normalize-schema";
import { type ProviderFormat, providerFormats, providerRules } from "./provider-rules";

type Fitting = { name: string; shownDescription: string; shownInputSchema: JsonObject };

/** A tool as one provider accepts it, what was changed for it, and why the provider cannot have it at all. */
export type FittedTool = { description: string; inputSchema: JsonObject; changes: string[]; refusal: string | null };

/** Kept by the tool's object, which the catalog replaces when the configuration changes. */
const fitted = new WeakMap<Fitting, Map<ProviderFormat, FittedTool>>();

/** Fits a tool to the rules of a provider. For a format without rules the tool stays unchanged. */
export function fitTool(tool: Fitting, format: ToolFormat): FittedTool {
  const provider = providerFormats.find((known) => known === format);
  if (!provider) return { description: tool.shownDescription, inputSchema: tool.shownInputSchema, changes: [], refusal: null };
  const known = fitted.get(tool) ?? new Map<ProviderFormat, FittedTool>();
  fitted.set(tool, known);
  const found = known.get(provider) ?? fitToProvider(tool, provider);
  known.set(provider, found);
  return found;
}

function fitToProvider({ name, shownDescription, shownInputSchema }: Fitting, provider: ProviderFormat): FittedTool {
  const rules = providerRules[provider];
  const { schema, changes, refusal } = normalizeSchema(shownInputSchema, rules);
  const characters = [...shownDescription];
  const isLong = characters.length > rules.maxDescriptionChars;
  const description = isLong
    ? `${characters
        .slice(0, rules.maxDescriptionChars - 3)
        .join("")
        .trimEnd()}...`
    : shownDescription;
  const badName = rules.functionName.test(name)
    ? null
    : `its name is not one that ${rules.title} takes. Change the alias of its server, so that the name begins with a letter`;
  return {
    description,
    inputSchema: schema,
    changes: isLong ? [...changes, `The description was cut to ${rules.maxDescriptionChars} characters.`] : changes,
    refusal: badName ?? refusal,
  };
}
