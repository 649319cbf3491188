import { type Connection, request } from "./request.js";
import type { Call, ConversationOptions, SubmittedCall, ToolFormat, ToolListing, Turn } from "./wire.js";

/** Seconds that one request waits for the turn; a person may take hours, so the client asks again. */
const waitSeconds = 60;

export type RunOptions = {
  /** Cancels the turn: running tools are stopped, pending approvals are withdrawn. */
  signal?: AbortSignal;
  /** Called once when the turn waits for a person. */
  onSuspended?: (turn: Turn) => void;
  /** The same key submits the same calls once. Chosen at random when absent. */
  idempotencyKey?: string;
};

/** Options of many turns, each of which has a key of its own. */
export type LoopOptions = Omit<RunOptions, "idempotencyKey">;

/** Opens a conversation. @throws HandrailError */
export async function openConversation(connection: Connection, options: ConversationOptions = {}): Promise<Conversation> {
  const response = await request(connection, "/conversations", { method: "POST", body: options });
  const { id } = await response.json();
  return new Conversation(connection, id);
}

/** A conversation of an agent: its tools, its activated tools, its files. */
export class Conversation {
  constructor(
    readonly connection: Connection,
    readonly id: string,
  ) {}

  /** Lists the tools as they are now. Ask before every step, because `enable_tool` adds tools. @throws HandrailError */
  async tools<Tool = Record<string, unknown>>(format: ToolFormat): Promise<ToolListing<Tool>> {
    return (await request(this.connection, `/conversations/${this.id}/tools?format=${format}`)).json();
  }

  /**
   * Runs the calls of one model reply as one turn, in their order, and waits until all have ended, people included.
   * @returns the calls, each with its `content` for the model; refusals and errors are calls too. Results of background jobs
   * that ended meanwhile stand behind the last content.
   * @throws HandrailError; the signal's reason when it aborts
   */
  async run(calls: readonly SubmittedCall[], options: RunOptions = {}): Promise<Call[]> {
    const { calls: results, finishedJobs = [] } = await this.runTurn(calls, options);
    const told = finishedJobs.map(({ jobId, name, status, content }) => `[Background job ${jobId} (${name}): ${status}]\n${content}`);
    const files = finishedJobs.flatMap(({ contentParts = [] }) => contentParts);
    const last = results.at(-1);
    if (!last || told.length === 0) return results;
    const content = [last.content, ...told].join("\n\n");
    return [...results.slice(0, -1), { ...last, content, contentParts: [...(last.contentParts ?? []), ...files] }];
  }

  /** Like `run`, and returns the whole turn, with the results of background jobs apart. */
  async runTurn(calls: readonly SubmittedCall[], options: RunOptions = {}): Promise<Turn> {
    const { signal, onSuspended, idempotencyKey = crypto.randomUUID() } = options;
    signal?.throwIfAborted();
    const path = `/conversations/${this.id}/turns`;
    // Without the signal, because a turn that may have begun has to be known before it can be cancelled.
    const submitted = await request(this.connection, path, { method: "POST", body: { calls, wait: 5 }, idempotencyKey });
    let turn: Turn = await submitted.json();
    let isTold = false;
    try {
      while (turn.status === "running" || turn.status === "suspended") {
        if (turn.status === "suspended" && !isTold) {
          isTold = true;
          onSuspended?.(turn);
        }
        turn = await (await request(this.connection, `/turns/${turn.id}?wait=${waitSeconds}`, { signal })).json();
      }
    } catch (error) {
      if (signal?.aborted) await request(this.connection, `/turns/${turn.id}/cancel`, { method: "POST" });
      throw error;
    }
    return turn;
  }

  /** Returns the images of a call as data URLs, for models that see. @throws HandrailError */
  async images({ contentParts = [] }: Call): Promise<string[]> {
    const images = contentParts.flatMap((part) => (part.type === "artifact" && part.image ? [part] : []));
    return Promise.all(
      images.map(async ({ artifactId, mediaType }) => {
        const bytes = await (await request(this.connection, `/artifacts/${artifactId}`)).arrayBuffer();
        return `data:${mediaType};base64,${toBase64(new Uint8Array(bytes))}`;
      }),
    );
  }
}

/** Text for the system prompt: the tools that the model can enable, and how. Empty when there are none. */
export const toInstructions = ({ directory, hints, sections }: ToolListing<unknown>): string =>
  [directory, hints, sections].filter(Boolean).join("\n");

function toBase64(bytes: Uint8Array): string {
  let text = "";
  const chunk = 32_768;
  for (let at = 0; at < bytes.length; at += chunk) text += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return btoa(text);
}
