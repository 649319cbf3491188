import type { Json, JsonObject } from "@/contracts/common";
import type { SkillParameter } from "@/contracts/skills/skills";
import { AppError } from "@/server/platform/errors";

/**
 * Fills `{{name}}` in a skill's text from its declared parameters; what it does not declare stays as it is.
 * @throws AppError `invalid` for a required parameter without a value, an undeclared one, or a value of another type
 */
export function fillParameters(text: string, parameters: readonly SkillParameter[], given: JsonObject): string {
  const unknown = Object.keys(given).find((name) => !parameters.some((parameter) => parameter.name === name));
  if (unknown !== undefined) {
    const known = parameters.map(({ name }) => name).join(", ") || "none";
    throw new AppError("invalid", `parameters: the skill has no parameter ${unknown.slice(0, 80)}. It has ${known}.`);
  }
  const values = new Map(
    parameters.flatMap((parameter) => {
      const value = given[parameter.name] ?? parameter.default;
      if (value === undefined || value === null) return [];
      return [[parameter.name, written(parameter, value)] as const];
    }),
  );
  const missing = parameters.filter(({ name, required }) => required && !values.has(name)).map(({ name }) => name);
  if (missing.length > 0) throw new AppError("invalid", `parameters: the skill needs ${missing.join(", ")}. Send it in parameters.`);
  return text.replace(/\{\{\s*([A-Za-z][A-Za-z0-9_-]*)\s*\}\}/g, (place, name: string) => values.get(name) ?? place);
}

function written({ name, type }: SkillParameter, value: Json): string {
  const fits = type === "array" ? Array.isArray(value) : type === "integer" ? Number.isInteger(value) : typeof value === type;
  if (!fits) throw new AppError("invalid", `parameters: ${name} must be of the type ${type}.`);
  return Array.isArray(value) ? value.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).join(", ") : String(value);
}
