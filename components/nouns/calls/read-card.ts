import type { Card } from "@/contracts/calls/cards";
import type { Json, JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

const most = { title: 200, body: 4_000, label: 100, value: 1_000, fields: 20, links: 5 };

/**
 * Reads the card in a result's structured content; null when there is none. Any tool may write such a member, so each
 * part is checked again, and a link that is no web address is left out.
 */
export function readCard(structuredContent: JsonObject | undefined): Card | null {
  const card = structuredContent?.card;
  if (!isJsonObject(card)) return null;
  const title = textOf(card.title, most.title);
  if (title === "") return null;
  return {
    title,
    body: textOf(card.body, most.body),
    fields: objectsIn(card.fields, most.fields).flatMap((field) => {
      const label = textOf(field.label, most.label);
      return label === "" ? [] : [{ label, value: textOf(field.value, most.value) }];
    }),
    links: objectsIn(card.links, most.links).flatMap((link) => {
      const label = textOf(link.label, most.label);
      const url = URL.parse(textOf(link.url, 2_000));
      return label !== "" && url && /^https?:$/.test(url.protocol) && url.hostname !== "" ? [{ label, url: url.href }] : [];
    }),
  };
}

const textOf = (value: Json | undefined, maxChars: number): string => (typeof value === "string" ? value.slice(0, maxChars) : "");

const objectsIn = (value: Json | undefined, maxItems: number): JsonObject[] =>
  Array.isArray(value) ? value.slice(0, maxItems).filter(isJsonObject) : [];
