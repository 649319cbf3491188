import "server-only";
import type { ConversationRow } from "@/server/conversations/find-conversation";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { countTokens } from "./count-tokens";

/** A text of a family in the system prompt, such as an agent's memory. */
export type PromptSection = {
  /** Part of the tokens of all sections, from 0 to 1. */
  share: number;
  /** Returns the text within the budget; empty for nothing. The same state gives the same bytes. */
  write: (conversation: ConversationRow, budgetTokens: number) => Promise<string>;
};

/** Tokens of all sections together. */
const sectionTokens = 2_000;

/** Tokens of a section with a share. */
export const sectionBudget = (share: number): number => Math.floor(sectionTokens * share);

const provided = () => processWide("tools.promptSections", () => new Map<string, PromptSection>());

/** Provides the section of a family. Sections stand in the order in which families are listed. */
export function providePromptSection(family: string, section: PromptSection): void {
  provided().set(family, section);
}

/** Writes the sections of all families. One that cannot be read is left out, because a conversation must go on without it. */
export async function writePromptSections(conversation: ConversationRow): Promise<string> {
  const texts = await Promise.all(
    [...provided()].map(async ([family, { share, write }]) => {
      try {
        return withinTokens(await write(conversation, sectionBudget(share)), sectionBudget(share));
      } catch (error) {
        log().warn({ err: error, family, conversationId: conversation.id }, "a section of the prompt could not be written");
        return "";
      }
    }),
  );
  return texts.filter((text) => text.trim() !== "").join("\n\n");
}

/** Cuts a text at the last line within the budget. */
export function withinTokens(text: string, budgetTokens: number): string {
  if (countTokens(text) <= budgetTokens) return text;
  const mark = "\n[cut here]";
  const lines = text.split("\n");
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countTokens(`${lines.slice(0, middle).join("\n")}${mark}`) <= budgetTokens) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : `${lines.slice(0, low).join("\n")}${mark}`;
}
