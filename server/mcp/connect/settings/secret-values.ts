import { isOwnVariable } from "@/server/platform/env";
import { AppError, type FieldError } from "@/server/platform/errors";

/** Environment variables or request headers of a server: name to value. */
export type SecretValues = Record<string, string>;
export type SecretPlace = "env" | "headers";
export type Variables = Record<string, string | undefined>;

const reference = /\$env:([A-Za-z_][A-Za-z0-9_]*)|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const onlyReference = /^(?:(?:Bearer|Basic|Token) )?(?:\$env:[A-Za-z_][A-Za-z0-9_]*|\$\{[A-Za-z_][A-Za-z0-9_]*\})$/;
const masked = /^.{0,2}\*\*\*$/s;
const shortestHinted = 12;

const openPrefix = "MCP_";

/**
 * Returns why a value may not refer to a variable of Handrail's environment; null when it may. `listed`:
 * HANDRAIL_MCP_VARIABLES. A person who adds a server can read every value that the server receives, so only variables that
 * the operator listed for servers are allowed.
 */
export function variableFault(variable: string, listed: readonly string[]): string | null {
  if (isOwnVariable(variable)) return `refers to ${variable}, which belongs to Handrail and is given to nobody`;
  if (variable.startsWith(openPrefix) || listed.includes(variable)) return null;
  return `refers to ${variable}, which MCP servers are not given. Start Handrail with HANDRAIL_MCP_VARIABLES=${variable} (with a comma between two), or give the variable a name that begins with ${openPrefix}`;
}

/** Tells whether a text is only a reference, which is no secret. */
export const isOnlyReference = (text: string): boolean => onlyReference.test(text);

/** Returns the names of the environment variables that a value refers to as `$env:NAME` or `${NAME}`. */
export function referencesIn(value: string): string[] {
  return [...value.matchAll(reference)].map((match) => match[1] ?? match[2] ?? "");
}

/** Masks a value except its first two characters, or completely when it is short. A reference is no secret and stays. */
export function maskValue(value: string): string {
  if (value === "" || onlyReference.test(value)) return value;
  return value.length < shortestHinted ? "***" : `${value.slice(0, 2)}***`;
}

export function maskValues(values: SecretValues): SecretValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, maskValue(value)]));
}

/**
 * Returns the values to store: a masked value that was sent back unchanged keeps the stored value.
 * @throws AppError `invalid` for a mask without a stored value, and for a reference to a variable that servers may not read.
 */
export function valuesToStore(place: SecretPlace, sent: SecretValues, stored: SecretValues, listed: readonly string[]): SecretValues {
  const errors: FieldError[] = [];
  const values: [string, string][] = Object.entries(sent).map(([name, value]) => {
    const before = Object.hasOwn(stored, name) ? stored[name] : undefined;
    const kept = before !== undefined && value === maskValue(before) ? before : value;
    const message = faultOf(place, name, kept, { isNew: kept !== before, listed });
    if (message) errors.push({ path: `${place}.${name}`, message });
    return [name, kept];
  });
  const [first] = errors;
  if (first) throw new AppError("invalid", `The settings are not valid: ${first.path} ${first.message}`, { errors });
  return Object.fromEntries(values);
}

type Checks = { isNew: boolean; listed: readonly string[] };

function faultOf(place: SecretPlace, name: string, value: string, { isNew, listed }: Checks): string | null {
  const named = place === "env" ? /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name) : /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name);
  if (!named) return `is not a name that ${place === "env" ? "an environment variable" : "a request header"} can have`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that end a header or a variable
  if ((place === "env" ? /\u0000/ : /[\u0000\r\n]|[^\u0000-\u00ff]/).test(value)) return "contains a character that cannot be sent";
  if (isNew && masked.test(value)) return "is a masked value. Type the secret itself, or a reference such as $env:NAME";
  // Unchanged references are not checked against the list, so that an admin can still disable a server after the list
  // changed.
  const checked = referencesIn(value).filter((variable) => isNew || isOwnVariable(variable));
  return checked.flatMap((variable) => variableFault(variable, listed) ?? [])[0] ?? null;
}

/**
 * Replaces references by values of the process environment.
 * @throws AppError `invalid` with the name of a variable that is not set, or that servers may not read.
 */
export function resolveReferences(place: SecretPlace, values: SecretValues, variables: Variables, listed: readonly string[]): SecretValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, resolveText(`${place}.${name}`, value, variables, listed)]),
  );
}

/** Replaces the references in one text. `field`: the name of the field, for the error message. */
export function resolveText(field: string, text: string, variables: Variables, listed: readonly string[]): string {
  return text.replace(reference, (_match, plain?: string, braced?: string) => {
    const variable = plain ?? braced ?? "";
    // Checked again, because a row may be older than this check.
    const fault = variableFault(variable, listed);
    if (fault) throw new AppError("invalid", `${field} ${fault}.`);
    const found = variables[variable];
    if (!found)
      throw new AppError("invalid", `${field} refers to the environment variable ${variable}, which is not set where Handrail runs.`);
    return found;
  });
}

/** Removes secrets from a text that a server wrote, such as its error stream. */
export function withoutSecrets(text: string, secrets: Iterable<string>): string {
  const known = [...secrets].filter((secret) => secret.length >= 6).sort((a, b) => b.length - a.length);
  return known.reduce((cleaned, secret) => cleaned.replaceAll(secret, "***"), text);
}
