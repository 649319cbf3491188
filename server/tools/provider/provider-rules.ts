import type { ToolFormat } from "@/contracts/conversations/conversations";

/** Formats of the providers whose rules Handrail knows. */
export const providerFormats = ["openai", "openai-responses", "anthropic", "gemini"] as const satisfies readonly ToolFormat[];
export type ProviderFormat = (typeof providerFormats)[number];

/** A provider's rules for functions, from its reference: OpenAI "Function calling", Anthropic "Tool use", Gemini "Function calling". */
export type ProviderRules = {
  title: string;
  functionName: RegExp;
  propertyName: RegExp;
  /** Characters of a function's description. */
  maxDescriptionChars: number;
  /** Functions of one request above which the provider refuses or chooses badly; null without a known limit. */
  maxFunctions: number | null;
  /** `type` may be a list. */
  allowsTypeLists: boolean;
  /** An array must say the type of its items. */
  itemsNeedType: boolean;
  /** References are replaced by their targets. */
  inlinesReferences: boolean;
  /** Keywords of JSON Schema that the provider takes; null: all. */
  keywords: ReadonlySet<string> | null;
  /** Values of `format` that the provider takes; null: all. */
  formats: ReadonlySet<string> | null;
};

const openai: ProviderRules = {
  title: "OpenAI",
  functionName: /^[A-Za-z0-9_-]{1,64}$/,
  propertyName: /^.{1,256}$/su,
  maxDescriptionChars: 1_024,
  maxFunctions: 128,
  allowsTypeLists: true,
  itemsNeedType: false,
  inlinesReferences: false,
  keywords: null,
  formats: null,
};

export const providerRules: Readonly<Record<ProviderFormat, ProviderRules>> = {
  openai,
  "openai-responses": openai,
  anthropic: {
    ...openai,
    title: "Anthropic",
    functionName: /^[A-Za-z0-9_-]{1,128}$/,
    propertyName: /^[A-Za-z0-9_.-]{1,64}$/,
    maxDescriptionChars: 10_000,
    maxFunctions: null,
  },
  gemini: {
    title: "Gemini",
    functionName: /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/,
    propertyName: /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/,
    maxDescriptionChars: 10_000,
    maxFunctions: 512,
    allowsTypeLists: false,
    itemsNeedType: true,
    inlinesReferences: true,
    keywords: new Set(
      `type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties additionalProperties
required`.split(/\s+/),
    ),
    formats: new Set(["date-time", "date", "time", "enum", "int32", "int64", "float", "double"]),
  },
};

/** Returns the rules of a format; undefined for the formats of MCP and of Handrail, which take every schema. */
export function findProviderRules(format: ToolFormat): ProviderRules | undefined {
  return (providerFormats as readonly string[]).includes(format) ? providerRules[format as ProviderFormat] : undefined;
}
