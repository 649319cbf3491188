import { AppError, type FieldError } from "@/server/platform/errors";

/** Environment variables or request headers of a server: name to value. */
export type SecretValues = Record<string, string>;
export type SecretPlace = "env" | "headers";

const reference = /\$env:([A-Za-z_][A-Za-z0-9_]*)|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const onlyReference = /^(?:(?:Bearer|Basic|Token) )?(?:\$env:[A-Za-z_][A-Za-z0-9_]*|\$\{[A-Za-z_][A-Za-z0-9_]*\})$/;
const masked = /^.{0,2}\*\*\*$/s;
const shortestHinted = 12;

/** Our own secrets: no server may be handed them. */
const ownVariable = /^(?:DATABASE_URL|HANDRAIL_.*|NEXTAUTH_.*)$/i;

/** Names of the environment variables that a value refers to as `$env:NAME` or `${NAME}`. */
export function referencesIn(value: string): string[] {
  return [...value.matchAll(reference)].map((match) => match[1] ?? match[2] ?? "");
}

/** Two characters to recognise it by, or none when it is short. A mere reference is no secret and is shown as it is. */
export function maskValue(value: string): string {
  if (value === "" || onlyReference.test(value)) return value;
  return value.length < shortestHinted ? "***" : `${value.slice(0, 2)}***`;
}

export function maskValues(values: SecretValues): SecretValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, maskValue(value)]));
}

/**
 * What to store of values that somebody sent: a masked value that comes back unchanged keeps the stored one.
 * @throws AppError `invalid` for a masked value with nothing behind it, and for a reference to one of our own secrets.
 */
export function valuesToStore(place: SecretPlace, sent: SecretValues, stored: SecretValues): SecretValues {
  const errors: FieldError[] = [];
  const values: [string, string][] = Object.entries(sent).map(([name, value]) => {
    const before = Object.hasOwn(stored, name) ? stored[name] : undefined;
    const kept = before !== undefined && value === maskValue(before) ? before : value;
    const message = faultOf(place, name, kept, kept !== before);
    if (message) errors.push({ path: `${place}.${name}`, message });
    return [name, kept];
  });
  const [first] = errors;
  if (first) throw new AppError("invalid", `The settings are not valid: ${first.path} ${first.message}`, { errors });
  return Object.fromEntries(values);
}

function faultOf(place: SecretPlace, name: string, value: string, isNew: boolean): string | null {
  const named = place === "env" ? /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name) : /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name);
  if (!named) return `is not a name that ${place === "env" ? "an environment variable" : "a request header"} can have`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that end a header or a variable
  if ((place === "env" ? /\u0000/ : /[\u0000\r\n]|[^\u0000-\u00ff]/).test(value)) return "contains a character that cannot be sent";
  if (isNew && masked.test(value)) return "is a masked value. Type the secret itself, or a reference such as $env:NAME";
  const own = referencesIn(value).find((variable) => ownVariable.test(variable));
  return own ? `refers to ${own}, which belongs to Handrail and is given to nobody` : null;
}

/**
 * Puts the process environment's values in the place of references.
 * @throws AppError `invalid` naming the variable that is not set, or is ours.
 */
export function resolveReferences(place: SecretPlace, values: SecretValues, variables: Record<string, string | undefined>): SecretValues {
  const resolve = (name: string, value: string) =>
    value.replace(reference, (_match, plain?: string, braced?: string) => {
      const variable = plain ?? braced ?? "";
      // Checked again here: a row may be older than the rule.
      if (ownVariable.test(variable)) throw new AppError("invalid", `${place}.${name} refers to ${variable}, which belongs to Handrail.`);
      const found = variables[variable];
      if (!found) {
        throw new AppError(
          "invalid",
          `${place}.${name} refers to the environment variable ${variable}, which is not set where Handrail runs.`,
        );
      }
      return found;
    });
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, resolve(name, value)]));
}

/** Takes secrets out of a text that a server wrote, such as its error stream. */
export function withoutSecrets(text: string, secrets: Iterable<string>): string {
  const known = [...secrets].filter((secret) => secret.length >= 6).sort((a, b) => b.length - a.length);
  return known.reduce((cleaned, secret) => cleaned.replaceAll(secret, "***"), text);
}
