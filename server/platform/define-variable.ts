import { z } from "zod";
import { processWide } from "./process-wide";

/** A variable of the environment that one family reads. The start refuses a wrong text; docs/operating/settings.md lists it. */
export type Variable<Value = unknown> = {
  name: string;
  /** Parses the text; `undefined` stands for a variable that is unset or empty. */
  schema: z.ZodType<Value, string | undefined>;
  /** The default in words of the documentation, in Markdown. */
  fallback: string;
  /** The meaning for operators, in Markdown. */
  meaning: string;
  /** The value in this process, parsed once. @throws Error that names the variable */
  value: () => Value;
};

/** Declares a variable. Families list theirs in `environment` of their family.ts and in their environment.ts. */
export function defineVariable<Value>(variable: Omit<Variable<Value>, "value">): Variable<Value> {
  const { name, schema } = variable;
  const parse = (): Value => {
    const parsed = schema.safeParse(process.env[name] || undefined);
    if (parsed.success) return parsed.data;
    throw new Error(`${name} ${parsed.error.issues.map(({ message }) => message).join(", ")}`);
  };
  return { ...variable, value: () => processWide(`environment.${name}`, parse) };
}

/** Parses a switch: `true` or `false`, and off while unset. */
export const offUnlessTrue = z
  .enum(["true", "false"], { error: "must be true or false" })
  .default("false")
  .transform((word) => word === "true");
