import type { Caller } from "../caller";

export type ReadEvent = { id: number | null; event: string; data: Record<string, unknown> };

/**
 * Reads a turn's event stream until it ends, or until `enough` says so.
 * @returns the events; progress lines, which are not kept and have no number, left out
 */
export async function readEvents(
  caller: Caller,
  turnId: string,
  { after, enough = () => false }: { after?: number; enough?: (events: ReadEvent[]) => boolean } = {},
): Promise<ReadEvent[]> {
  const left = new AbortController();
  const response = await caller.fetch(`/api/v1/turns/${turnId}/events`, {
    headers: after === undefined ? {} : { "last-event-id": String(after) },
    signal: left.signal,
  });
  const events: ReadEvent[] = [];
  if (!response.body) return events;
  let text = "";
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      events.push(...blocks.flatMap(parse).filter(({ event }) => event !== "call.progress"));
      if (enough(events)) break;
    }
  } finally {
    left.abort();
  }
  return events;
}

function parse(block: string): ReadEvent[] {
  const fields = new Map(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
  const event = fields.get("event");
  const id = fields.get("id");
  return event ? [{ id: id === undefined ? null : Number(id), event, data: JSON.parse(fields.get("data") ?? "{}") }] : [];
}
