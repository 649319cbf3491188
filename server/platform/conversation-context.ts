import { processWide } from "./process-wide";

/** Returns what a model must still know of a conversation when its history was shortened; empty when there is nothing. */
export type ConversationContext = (conversationId: string) => Promise<string>;

const known = () => processWide("conversationContexts", () => new Map<string, ConversationContext>());

/** Registers a family's contribution to the context of conversations. Families provide it, because the core names none of them. */
export function provideConversationContext(name: string, context: ConversationContext): void {
  known().set(name, context);
}

/** Returns the texts of all families, in the order of their names. */
export async function conversationContext(conversationId: string): Promise<string> {
  const inOrder = [...known()].sort(([one], [other]) => (one < other ? -1 : 1));
  const texts = await Promise.all(inOrder.map(([, context]) => context(conversationId)));
  return texts.filter((text) => text.trim() !== "").join("\n\n");
}
