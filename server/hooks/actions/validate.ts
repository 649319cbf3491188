import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { Json, JsonObject } from "@/contracts/common";
import type { HookAction } from "@/contracts/hook-actions";
import type { SearchBudget } from "@/server/guard/matching/bounded-search";
import { canonicalJson } from "@/server/platform/canonical-json";
import { foundAt } from "../every-member";
import type { HookAct } from "../scene";
import { budgetOfValue, isFound, longestText, textPattern } from "../text-patterns";

const longestSchema = 8_192;
/** With these, checking may take longer than the schema and the value together are long. */
const costly = /"(?:\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)"/;

/** Patterns of a schema share the budget of the value that is checked. */
function linearRegExp(budgetNow: () => SearchBudget) {
  const compile = (source: string) => {
    const pattern = textPattern(source);
    return {
      // Ajv keeps patterns apart by this text: without it, all of a schema would be the first one.
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

/** A pattern and a text that are too much for each other: then a value does not fit, whatever the pattern stands for. */
class TooLong extends Error {}

/**
 * Refuses what does not fit a pattern or a schema: of several places, each has to.
 * @throws Error with a sentence for a pattern or a schema that cannot be used
 */
export function validate({ pointer, pattern: source, schema, message }: Extract<HookAction, { type: "validate" }>): HookAct {
  const pattern = source === null ? null : textPattern(source);
  const check = schema === null ? null : compileSchema(schema);
  const refused = (what: string) => ({ kind: "refused" as const, reason: [sentence(what), message].filter(Boolean).join(" ") });
  return (value) => {
    const budget = budgetOfValue();
    let room = longestText;
    for (const { place, value: found } of foundAt(value, pointer ?? "")) {
      const where = place === "" ? "it" : place;
      if (found === undefined) return refused(`${where} is missing`);
      const text = textOf(found);
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

const textOf = (value: Json): string => (typeof value === "string" ? value : canonicalJson(value));
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What is wrong with a value; null when it fits. */
function compileSchema(schema: JsonObject): (value: Json, budget: SearchBudget) => string | null {
  const text = JSON.stringify(schema);
  if (text.length > longestSchema) throw new Error(`the schema is longer than ${longestSchema.toLocaleString("en")} characters`);
  if (costly.test(text)) throw new Error("references and uniqueItems are not available in the schema of a hook");
  let budget = budgetOfValue();
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
