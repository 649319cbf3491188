import { AppError, type FieldError } from "@/server/platform/errors";
import { maskArguments, maskUrl } from "./mask-settings";
import { resolveText, type Variables, variableFault } from "./secret-values";

/** References in an argument. `$${NAME}` escapes a literal `${NAME}`, because a program may expand its own variables. */
const argumentReference = /\$\$\{[A-Za-z_][A-Za-z0-9_]*\}|\$env:[A-Za-z_][A-Za-z0-9_]*|\$\{[A-Za-z_][A-Za-z0-9_]*\}/g;
const urlReference = /\$env:[A-Za-z_][A-Za-z0-9_]*|\$\{[A-Za-z_][A-Za-z0-9_]*\}/g;
const mask = "***";

/** Replaces the references in arguments by values of Handrail's environment. @throws AppError `invalid` */
export function resolveArguments(args: readonly string[], variables: Variables, listed: readonly string[]): string[] {
  return args.map((arg, index) =>
    arg.replace(argumentReference, (found) =>
      found.startsWith("$$") ? found.slice(1) : resolveText(`Argument ${index + 1}`, found, variables, listed),
    ),
  );
}

/** Replaces the references in an address by encoded values, so that no value changes the host. @throws AppError `invalid` */
export function resolveUrl(url: string, variables: Variables, listed: readonly string[]): string {
  return url.replace(urlReference, (found) => encodeURIComponent(resolveText("The URL", found, variables, listed)));
}

/**
 * Returns the arguments to store: a masked argument that was sent back unchanged keeps the stored argument.
 * @throws AppError `invalid` for a mask without a stored argument, and for a variable that servers may not read.
 */
export function argumentsToStore(sent: readonly string[], stored: readonly string[], listed: readonly string[]): string[] {
  const masks = maskArguments(stored);
  return toStore(
    sent.map((text, index) => {
      const same = stored.filter((_text, place) => masks[place] === text);
      const kept = masks[index] === text ? stored[index] : new Set(same).size === 1 ? same[0] : undefined;
      return { path: `args.${index}`, text, kept, references: references(text, argumentReference) };
    }),
    listed,
  );
}

/** Returns the address to store; a masked address that was sent back keeps the stored address. @throws AppError `invalid` */
export function urlToStore(sent: string, stored: string | null, listed: readonly string[]): string {
  const kept = stored !== null && maskUrl(stored) === sent ? stored : undefined;
  return toStore([{ path: "url", text: sent, kept, references: references(sent, urlReference) }], listed)[0] ?? sent;
}

type Sent = { path: string; text: string; kept: string | undefined; references: string[] };

function toStore(texts: readonly Sent[], listed: readonly string[]): string[] {
  const errors: FieldError[] = [];
  const values = texts.map(({ path, text, kept, references }) => {
    if (kept !== undefined) return kept;
    const fault = text.includes(mask)
      ? "holds a masked value. Type the secret itself, or a reference such as $env:NAME"
      : references.flatMap((variable) => variableFault(variable, listed) ?? [])[0];
    if (fault) errors.push({ path, message: fault });
    return text;
  });
  const [first] = errors;
  if (first) throw new AppError("invalid", `The settings are not valid: ${first.path} ${first.message}`, { errors });
  return values;
}

function references(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([found]) => (found.startsWith("$$") ? [] : [found.replace(/^\$(?:env:|\{)|\}$/g, "")]));
}
