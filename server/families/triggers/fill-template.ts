import { isJsonObject } from "@/contracts/lib/is-json-object";

export type Payload = Readonly<Record<string, string>>;

const maxValueChars = 20_000;

/**
 * Fills a template in one pass, so that a payload that holds `{text}` stays as it is. `{body.a.b}` is a member of a body of JSON. A word that the
 * payload has not stays as it was written.
 */
export function fillTemplate(template: string, payload: Payload): string {
  return template.replaceAll(/\{([a-z_]+)((?:\.[\w-]{1,60}){0,8})\}/g, (written, name: string, path: string) => {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (value === undefined) return written;
    return (path === "" ? value : memberOf(value, path.slice(1).split("."))).slice(0, maxValueChars);
  });
}

/** Returns a member of a text of JSON as a text; empty when there is none. */
function memberOf(json: string, path: readonly string[]): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return "";
  }
  for (const name of path) {
    if (Array.isArray(value)) value = value[Number(name)];
    else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
}
