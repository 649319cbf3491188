import { Card } from "@/contracts/calls/cards";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { defineTool, toolResult } from "@/server/tools/define-tool";

export const showCard = defineTool({
  name: "show_card",
  title: "Show a card",
  description:
    "Shows people a card: a title, a text, labelled fields and links as buttons (http and https). It answers nothing; ask_user asks.",
  family: "questions",
  tier: "extension",
  effect: "read",
  approval: { effects: () => [actsInside("shows people a card")] },
  needs: [],
  names: {
    parameterAliases: { text: "body", content: "body", buttons: "links" },
  },
  primaryArgument: "title",
  input: Card,
  async execute(card) {
    return toolResult({ text: `The card "${card.title}" is shown.`, structuredContent: { card } });
  },
});
