import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

/** One argument of a tool as people and models read about it. */
export type DescribedArgument = {
  name: string;
  isRequired: boolean;
  /** The JSON type, or the types that it may have: "string", "integer or string". Empty when the schema names none. */
  type: string;
  /** Choices, default and bounds, each as words. */
  limits: readonly string[];
  description: string;
  schema: Json;
};

/** Describes the arguments of a tool from its JSON Schema, in the schema's order. */
export function describeArguments({ properties, required }: JsonObject): DescribedArgument[] {
  const needed = new Set(Array.isArray(required) ? required.map(String) : []);
  const members = isJsonObject(properties) ? Object.entries(properties) : [];
  return members.map(([name, schema]) => {
    const facts = isJsonObject(schema) ? schema : {};
    return {
      name,
      isRequired: needed.has(name),
      type: typeOf(facts),
      limits: limitsOf(facts),
      description: typeof facts.description === "string" ? facts.description : "",
      schema,
    };
  });
}

function typeOf({ type, anyOf }: JsonObject): string {
  if (typeof type === "string") return type;
  if (!Array.isArray(anyOf)) return "";
  const types = anyOf.flatMap((one) => (isJsonObject(one) && typeof one.type === "string" ? [one.type] : []));
  return [...new Set(types)].join(" or ");
}

function limitsOf({ enum: choices, default: usual, minimum, maximum, maxLength, maxItems }: JsonObject): string[] {
  const isBound = (value: unknown): value is number =>
    typeof value === "number" && Number.isFinite(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  return [
    ...(Array.isArray(choices) ? [`one of ${choices.join(", ")}`] : []),
    ...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`]),
    ...(isBound(minimum) ? [`at least ${minimum}`] : []),
    ...(isBound(maximum) ? [`at most ${maximum}`] : []),
    ...(isBound(maxLength) ? [`at most ${maxLength.toLocaleString("en")} characters`] : []),
    ...(isBound(maxItems) ? [`at most ${maxItems} items`] : []),
  ];
}
