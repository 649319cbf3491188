import type { MessageRow } from "../run-row";
import { type NewMessage, toolMessage } from "../save-run";

/** Replies in a row with calls that the model's limit of output cut off, after which the run ends. */
export const maxCutReplies = 3;

/** The result of a call in a reply that was cut off. Its arguments may be whole JSON and still lack their end. */
const cutResult =
  "Not run: your reply was cut off at the limit of its length, so this call may be incomplete. Send it again, with long content in smaller pieces.";

export const cutResults = (calls: readonly { id: string; name: string }[]): NewMessage[] =>
  calls.map((call) => toolMessage(call, cutResult, { isError: true }));

/** Counts the latest replies in a row whose calls were cut off. */
export function cutReplies(messages: readonly Pick<MessageRow, "role" | "content">[]): number {
  let count = 0;
  for (const { role, content } of messages.toReversed()) {
    if (role === "tool" && content.text !== cutResult) break;
    if (role === "assistant") count += 1;
    if (role === "user") break;
  }
  return count;
}
