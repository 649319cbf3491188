import type { Json } from "@/contracts/common";
import type { HttpRequestTemplate } from "@/contracts/tools/http-tools";

/** `{name}` in a URL. */
export const urlPlaceholder = /\{([A-Za-z_][\w-]*)\}/g;
/** `{{name}}` everywhere else. */
export const placeholder = /\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g;
const onlyPlaceholder = /^\{\{\s*([A-Za-z_][\w-]*)\s*\}\}$/;

/** Returns the argument of a text that is one placeholder and nothing else; null for every other text. */
export const soleArgument = (text: string): string | null => onlyPlaceholder.exec(text)?.[1] ?? null;

/** Returns the arguments that a text takes. */
export const argumentsIn = (text: string, pattern: RegExp = placeholder): string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name ?? "");

/** Returns the arguments that each part of a request takes, with the part's path for error messages. */
export function argumentsByPart(request: Omit<HttpRequestTemplate, "authProfileId">): { path: string; names: string[] }[] {
  const maps = (["query", "headers"] as const).flatMap((part) =>
    Object.entries(request[part]).map(([name, text]) => ({ path: `http.${part}.${name}`, names: argumentsIn(text) })),
  );
  return [
    { path: "http.url", names: argumentsIn(request.url, urlPlaceholder) },
    ...maps,
    { path: "http.bodyTemplate", names: textsOf(request.bodyTemplate).flatMap((text) => argumentsIn(text)) },
  ];
}

function textsOf(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return (Array.isArray(value) ? value : Object.values(value)).flatMap(textsOf);
}
