import type { MessageRow } from "../run-row";

export type HistoryMessage = Pick<MessageRow, "runId" | "position" | "role" | "content" | "usage">;

/** What a model reads of a conversation: the latest summary in place of the messages that it covers, and the messages behind them. */
export type History<Message extends HistoryMessage> = { summary: Message | null; messages: Message[] };

/** Selects what the model reads. The rows keep every message. */
export function readHistory<Message extends HistoryMessage>(all: readonly Message[]): History<Message> {
  const summary = all.findLast(({ role }) => role === "summary") ?? null;
  const messages = all.filter(({ role }) => role !== "summary");
  const from = summary?.content.summarisesUntil;
  if (!summary || !from) return { summary: null, messages };
  const place = messages.findIndex(({ runId, position }) => runId === from.runId && position === from.position);
  return { summary, messages: place < 0 ? messages.filter((message) => isBehind(message, summary)) : messages.slice(place) };
}

/** Runs of a conversation follow each other, and their ids are in order of time. */
const isBehind = (message: HistoryMessage, summary: HistoryMessage): boolean =>
  message.runId === summary.runId ? message.position > summary.position : message.runId > summary.runId;
