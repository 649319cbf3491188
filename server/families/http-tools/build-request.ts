import type { Json, JsonObject } from "@/contracts/common";
import type { HttpRequestTemplate } from "@/contracts/tools/http-tools";
import { AppError } from "@/server/platform/errors";
import { argumentsByPart, placeholder, soleArgument, urlPlaceholder } from "./placeholders";

export type RequestTemplate = Omit<HttpRequestTemplate, "authProfileId">;
export type BuiltRequest = { method: string; url: string; headers: Record<string, string>; body?: string };

const contentTypes = { json: "application/json", form: "application/x-www-form-urlencoded", text: "text/plain; charset=utf-8" };
const takesBody = (method: string): boolean => method === "POST" || method === "PUT" || method === "PATCH";

/**
 * Fills in a request with the arguments of a call. An argument stays inside the place that the admin gave it: it changes
 * neither the host nor the number of path segments nor another parameter.
 * @throws AppError `invalid` for a value that its place cannot hold
 */
export function buildRequest(template: RequestTemplate, args: JsonObject): BuiltRequest {
  const { method, headers, commaLists } = template;
  const url = new URL(fillUrl(template.url, args));
  const used = new Set(argumentsByPart(template).flatMap(({ names }) => names));
  const others = Object.entries(args).filter(([name]) => !used.has(name));
  for (const [name, text] of Object.entries(template.query)) {
    const value = fillText(text, args);
    if (value !== undefined) addParameter(url.searchParams, name, value, commaLists.includes(name));
  }
  const body = takesBody(method) ? bodyOf(template, args, others) : undefined;
  // Without a body, the arguments that no placeholder takes become query parameters.
  if (!takesBody(method)) for (const [name, value] of others) addParameter(url.searchParams, name, value, commaLists.includes(name));
  const filled = Object.entries(headers).flatMap(([name, text]) => {
    const value = fillText(text, args);
    return value === undefined || value === null ? [] : [[name, Array.isArray(value) ? value.map(plainText).join(",") : plainText(value)]];
  });
  return {
    method,
    url: url.href,
    headers: { ...(body === undefined ? {} : { "content-type": contentTypes[template.bodyType] }), ...Object.fromEntries(filled) },
    ...(body === undefined ? {} : { body }),
  };
}

function fillUrl(template: string, args: JsonObject): string {
  const filled = template.replace(urlPlaceholder, (_found, name: string) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (value === undefined || value === null || value === "" || typeof value === "object") {
      throw new AppError("invalid", `${name} is part of the address, so it must be a text, a number or a boolean that is not empty.`);
    }
    return encodeURIComponent(String(value));
  });
  // A URL parser removes segments such as `..`, and a request would then reach another path than the one that was decided on.
  const [path = ""] = filled.replace(/^https?:\/\/[^/?]+/i, "").split("?");
  if (path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    throw new AppError("invalid", 'A path segment of the address would be "." or "..". Send another value.');
  }
  return filled;
}

/** Fills in a text: one placeholder alone keeps the argument's type; undefined when an argument is absent. */
function fillText(text: string, args: JsonObject): Json | undefined {
  const sole = soleArgument(text);
  if (sole !== null) return Object.hasOwn(args, sole) ? args[sole] : undefined;
  let isComplete = true;
  const filled = text.replace(placeholder, (_found, name: string) => {
    if (!Object.hasOwn(args, name)) isComplete = false;
    return plainText(args[name] ?? "");
  });
  return isComplete ? filled : undefined;
}

/** Fills in a JSON value; members and items whose argument is absent are left out. */
function fillJson(value: Json, args: JsonObject): Json | undefined {
  if (typeof value === "string") return fillText(value, args);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.flatMap((item) => presentOnly(fillJson(item, args)));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => presentOnly(fillJson(member, args)).map((filled) => [name, filled])),
  );
}

const presentOnly = (value: Json | undefined): Json[] => (value === undefined ? [] : [value]);

function bodyOf({ bodyTemplate, bodyType }: RequestTemplate, args: JsonObject, others: [string, Json][]): string | undefined {
  const value = bodyTemplate === null ? Object.fromEntries(others) : fillJson(bodyTemplate, args);
  if (value === undefined || (bodyTemplate === null && others.length === 0)) return undefined;
  if (bodyType === "json") return JSON.stringify(value);
  if (bodyType === "text" || typeof value !== "object" || value === null || Array.isArray(value)) return plainText(value);
  const form = new URLSearchParams();
  for (const [name, member] of Object.entries(value)) addParameter(form, name, member, false);
  return form.toString();
}

/** Adds a parameter: a list becomes repeated parameters or one with commas, an object `name[member]` parameters. */
function addParameter(parameters: URLSearchParams, name: string, value: Json, hasCommas: boolean): void {
  if (value === null) return;
  if (Array.isArray(value)) {
    if (hasCommas) parameters.append(name, value.map(plainText).join(","));
    else for (const item of value) parameters.append(name, plainText(item));
  } else if (typeof value === "object") {
    for (const [member, inner] of Object.entries(value)) if (inner !== null) parameters.append(`${name}[${member}]`, plainText(inner));
  } else parameters.append(name, String(value));
}

const plainText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
