import { expect, test } from "vitest";
import { Card } from "@/contracts/calls/cards";
import type { Json } from "@/contracts/common";
import { readCard } from "./read-card";

test("a card is read as its tool wrote it", () => {
  const card = Card.parse({
    title: "Deployed",
    body: "Version 12 is live.",
    fields: [{ label: "Region", value: "eu" }],
    links: [{ label: "See it", url: "https://example.com/" }],
  });
  expect(readCard({ card })).toEqual(card);
});

test.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "/relative", "https://", 7])(
  "a button never leads to %s, whichever tool wrote the card",
  (url) => {
    expect(readCard({ card: { title: "x", links: [{ label: "x", url }] } })?.links).toEqual([]);
  },
);

test("a value that is no card reads as none", () => {
  const none: Json[] = [null, "text", [], {}, { title: "" }, { title: 7 }];
  for (const card of none) expect(readCard({ card })).toBeNull();
  expect(readCard(undefined)).toBeNull();
  expect(readCard({ card: { title: "x", fields: ["a", { label: 1 }] } })?.fields).toEqual([]);
});
