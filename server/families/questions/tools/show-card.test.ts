import { expect, test } from "vitest";
import { runTool } from "@/server/testing/run-tool";
import { isRichResult } from "@/server/tools/define-tool";
import { showCard } from "./show-card";

test("a card goes to people as structured content, and the model reads that it is shown", async () => {
  const card = { title: "Deployed", text: "Version 12 is live.", buttons: [{ label: "See it", url: "https://example.com/" }] };
  const result = await runTool(showCard, card, {});
  if (!isRichResult(result)) throw new Error("The result has no card");
  expect(result.text).toBe('The card "Deployed" is shown.');
  expect(result.structuredContent).toEqual({ card: { title: card.title, body: card.text, fields: [], links: card.buttons } });
});

test.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "/relative", "https://"])("no button leads to %s", (url) => {
  expect(showCard.parse({ title: "x", links: [{ label: "x", url }] }).ok).toBe(false);
});
