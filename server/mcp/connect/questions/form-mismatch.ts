import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { describeMismatch } from "../schemas/argument-check";

/** The formats that MCP knows in forms, each with its words for a person. */
const formats: Readonly<Record<string, { check: z.ZodType; words: string }>> = {
  email: { check: z.email(), words: "an e-mail address" },
  uri: { check: z.url(), words: "an address such as https://example.com" },
  date: { check: z.iso.date(), words: "a date such as 2026-11-30" },
  "date-time": { check: z.iso.datetime({ offset: true }), words: "a time such as 2026-11-30T09:00:00Z" },
};

/** Returns the rule of a text with a format, for a person; null without a known one. */
export function formatHint(schema: JsonObject): string | null {
  const known = typeof schema.format === "string" && Object.hasOwn(formats, schema.format) ? formats[schema.format] : undefined;
  return known ? `Answer with ${known.words}.` : null;
}

/** Compares a form's answer with its schema and the formats of its texts. @returns null for one that fits */
export function formMismatch(schema: JsonObject, content: JsonObject): string | null {
  const mismatch = describeMismatch(schema, content);
  if (mismatch !== null) return mismatch;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  for (const [name, property] of Object.entries(properties)) {
    const format = isJsonObject(property) && typeof property.format === "string" ? property.format : "";
    const known = Object.hasOwn(formats, format) ? formats[format] : undefined;
    if (known && content[name] !== undefined && !known.check.safeParse(content[name]).success) return `${name} must be ${known.words}`;
  }
  return null;
}
