import { maskInText, maskText, secretUnder } from "@/server/secrets/mask-secrets";
import { isOnlyReference, maskValue } from "./secret-values";

/** Long runs of letters and digits, which are probably keys when they mix letters with several digits. */
const randomRun = /[A-Za-z0-9]{20,}/g;
const option = /^-{1,2}[A-Za-z][\w-]*$/;
const longest = 100;

/** Masks arguments for people who may change them: values that look like secrets, or follow an option named like one. */
export function maskArguments(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    if (isOnlyReference(arg)) return arg;
    const before = args[index - 1] ?? "";
    const secret = option.test(before) && before.length <= longest ? secretUnder(before, arg) : null;
    return secret === null ? maskRandom(maskInText(arg)) : arg.slice(0, arg.length - secret.length) + maskText(secret);
  });
}

/** Masks every value in arguments for all other readers, because any value may be an unrecognised secret. Options stay. */
export function hideArguments(args: readonly string[]): string[] {
  return args.map((arg) => {
    if (option.test(arg) || isOnlyReference(arg)) return arg;
    const [, name, value] = /^(-{1,2}[A-Za-z][\w-]*=)(.*)$/s.exec(arg) ?? ["", "", arg];
    return `${name}${isOnlyReference(value ?? "") ? value : maskValue(value ?? "")}`;
  });
}

/** Masks the secrets in an address for people who may change the address. */
export function maskUrl(text: string): string {
  return maskRandom(
    maskInText(text).replace(/([?&;])([^=&;#]{1,100})=([^&;#]+)/g, (whole, before, name, value) =>
      isOnlyReference(value) || secretUnder(name, value) === null ? whole : `${before}${name}=${maskText(value)}`,
    ),
  );
}

/** Reduces an address to its origin for all other readers, because path and query may hold a key. */
export function hideUrl(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return pathname === "/" && search === "" ? origin : `${origin}/***`;
}

function maskRandom(text: string): string {
  return text.replace(randomRun, (run) => (/\d.*\d/.test(run) && /[A-Za-z]/.test(run) ? maskText(run) : run));
}

/** Returns the pieces of a text that its masked form hides. */
export function secretsIn(text: string, masked: string): string[] {
  if (text === masked) return [];
  const shown = new Set(piecesOf(masked));
  return [text, ...piecesOf(text).filter((piece) => !shown.has(piece))];
}

const piecesOf = (text: string): string[] => text.split(/[\s/:@?&;=,#"']+/).filter((piece) => piece !== "");
