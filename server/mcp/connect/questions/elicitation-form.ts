import type { ElicitResult } from "@modelcontextprotocol/client";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { cleanLine } from "../text/clean-text";
import { formatHint } from "./form-mismatch";

type Value = NonNullable<ElicitResult["content"]>[string];
type Choice = { value: string; label: string };

/** One field of a form that a server wants a person to fill in. */
export type FormField = {
  name: string;
  /** Title and description for the person. */
  label: string;
  schema: JsonObject;
  isRequired: boolean;
  /** Suggested answers. */
  options: string[];
  choices: Choice[];
  kind: "text" | "number" | "boolean" | "choice" | "choices";
  /** The rule for an answer, in words. */
  hint: string;
};

const maxOptions = 19;
const anyText = "Answer with text.";

/** Reads the fields of a flat form; null when the form has a field of a kind that MCP does not know. */
export function formFields(schema: JsonObject): FormField[] | null {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(properties).map(([name, property]) =>
    isJsonObject(property) ? fieldOf(name, property, required.includes(name)) : null,
  );
  return fields.every((field) => field !== null) ? fields : null;
}

function fieldOf(name: string, schema: JsonObject, isRequired: boolean): FormField | null {
  const shape = shapeOf(schema);
  if (shape === null) return null;
  const title = cleanLine(typeof schema.title === "string" ? schema.title : name, 200);
  const description = typeof schema.description === "string" ? cleanLine(schema.description, 500) : "";
  const fallback = ["string", "number", "boolean"].includes(typeof schema.default)
    ? `Default: ${cleanLine(String(schema.default), 100)}`
    : "";
  const label = [`${title}${isRequired ? "" : " (optional)"}`, description, shape.hint === anyText ? "" : shape.hint, fallback];
  return { name, schema, isRequired, ...shape, label: label.filter(Boolean).join("\n") };
}

function shapeOf(schema: JsonObject): Pick<FormField, "kind" | "options" | "choices" | "hint"> | null {
  const choices = choicesOf(schema);
  if (choices) {
    const options = choices.map(({ label }) => label).slice(0, maxOptions);
    return { kind: "choice", choices, options, hint: "Choose one of the answers." };
  }
  switch (schema.type) {
    case "string":
      return { kind: "text", choices: [], options: [], hint: formatHint(schema) ?? anyText };
    case "number":
    case "integer":
      return {
        kind: "number",
        choices: [],
        options: [],
        hint: schema.type === "integer" ? "Answer with a whole number." : "Answer with a number.",
      };
    case "boolean":
      return { kind: "boolean", choices: [], options: ["Yes", "No"], hint: "Answer Yes or No." };
    case "array": {
      const several = isJsonObject(schema.items) ? choicesOf(schema.items) : null;
      if (!several) return null;
      const known = several.map(({ label }) => label).join(", ");
      return { kind: "choices", choices: several, options: [], hint: `Answer with one or more of these, separated by commas: ${known}` };
    }
    default:
      return null;
  }
}

/** Returns the choices of an enumeration in any of MCP's notations; null for other schemas. */
function choicesOf(schema: JsonObject): Choice[] | null {
  const titled = Array.isArray(schema.oneOf) ? schema.oneOf : Array.isArray(schema.anyOf) ? schema.anyOf : null;
  if (titled) {
    return titled.flatMap((one) =>
      isJsonObject(one) && typeof one.const === "string"
        ? [{ value: one.const, label: cleanLine(typeof one.title === "string" ? one.title : one.const, 200) }]
        : [],
    );
  }
  if (!Array.isArray(schema.enum)) return null;
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  return schema.enum.flatMap((value, index) => {
    const name = names[index];
    return typeof value === "string" ? [{ value, label: cleanLine(typeof name === "string" ? name : value, 200) }] : [];
  });
}

/** Converts a person's answer to the value of a field; undefined when the answer is of another kind. */
export function parseFieldAnswer({ kind, choices }: FormField, answer: string): Value | undefined {
  const text = answer.trim();
  switch (kind) {
    case "text":
      return answer;
    case "number":
      return text !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case "boolean":
      return /^(?:yes|true|y)$/i.test(text) ? true : /^(?:no|false|n)$/i.test(text) ? false : undefined;
    case "choice":
      return choiceOf(choices, text);
    case "choices": {
      const values = text.split(",").map((part) => choiceOf(choices, part.trim()));
      return values.every((value) => value !== undefined) ? values : undefined;
    }
  }
}

function choiceOf(choices: readonly Choice[], text: string): string | undefined {
  return choices.find(({ value, label }) => text === label || text === value)?.value;
}
