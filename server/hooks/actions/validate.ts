import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { Json, JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hooks/hook-actions";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import type { SearchBudget } from "@/server/guard/matching/bounded-search";
import type { CompiledAction } from "../hook-context";
import { findMatches } from "../json-pointer-wildcards";
import { isFound, makeValueBudget, maxTextChars, textPattern } from "../text-patterns";

const maxSchemaChars = 8_192;
/** Keywords that are not allowed, because with them a check may take more than linear time in schema and value. */
const costly = /"(?:\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)"/;

/** Returns Ajv's pattern engine with RE2; all patterns of a schema share the budget of the value. */
function linearRegExp(budgetNow: () => SearchBudget) {
  const compile = (source: string) => {
    const pattern = textPattern(source);
    return {
      // Ajv tells compiled patterns apart by this text. Without it, the schema's first pattern would be used for all.
      toString: () => source,
      test(text: string): boolean {
        const found = isFound(pattern, text, budgetNow());
        if (found === null) throw new TooLong();
        return found;
      },
    };
  };
  return Object.assign(compile, { code: "linearRegExp" });
}

/** The search exceeds its budget. The value then counts as invalid, even where the schema negates the pattern. */
class TooLong extends Error {}

/**
 * Refuses a value that does not match a pattern or a schema; every place that the pointer names has to match.
 * @throws Error with a sentence for a pattern or a schema that cannot be used
 */
export function validate({ pointer, pattern: source, schema, message }: Extract<HookAction, { type: "validate" }>): CompiledAction {
  const pattern = source === null ? null : textPattern(source);
  const check = schema === null ? null : compileSchema(schema);
  const refused = (what: string) => ({ kind: "refused" as const, reason: [sentence(what), message].filter(Boolean).join(" ") });
  return (value) => {
    const budget = makeValueBudget();
    let room = maxTextChars;
    for (const { place, value: found } of findMatches(value, pointer ?? "")) {
      const where = place === "" ? "it" : place;
      if (found === undefined) return refused(`${where} is missing`);
      const text = resultText(found);
      room -= text.length;
      if (room < 0) return refused(`${where} is too long to be checked`);
      const isThere = pattern ? isFound(pattern, text, budget) : true;
      if (isThere === null) return refused(`${where} would take too long to be checked`);
      if (!isThere) return refused(`${where} does not match ${source}`);
      const mistake = check?.(found, budget) ?? null;
      if (mistake !== null) return refused(`${place}${mistake}`);
    }
    return { kind: "kept" };
  };
}

const resultText = (value: Json): string => (typeof value === "string" ? value : canonicalJson(value));
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Compiles a schema to a function that returns the first mistake of a value; null when the value fits. */
function compileSchema(schema: JsonObject): (value: Json, budget: SearchBudget) => string | null {
  const text = JSON.stringify(schema);
  if (text.length > maxSchemaChars) throw new Error(`the schema is longer than ${maxSchemaChars.toLocaleString("en")} characters`);
  if (costly.test(text)) throw new Error("references and uniqueItems are not available in the schema of a hook");
  let budget = makeValueBudget();
  const checker = new Ajv2020({
    strict: false,
    allErrors: false,
    validateFormats: false,
    logger: false,
    code: { regExp: linearRegExp(() => budget) },
  });
  const check = checker.compile(schema);
  return (value, budgetOfThis) => {
    budget = budgetOfThis;
    try {
      return check(value) ? null : mistakeOf(check.errors?.[0]);
    } catch (error) {
      if (error instanceof TooLong) return " would take too long to be checked";
      throw error;
    }
  };
}

function mistakeOf(error: ErrorObject | undefined): string {
  if (!error) return " does not fit the schema";
  return `${error.instancePath} ${error.message ?? "does not fit the schema"}`;
}
