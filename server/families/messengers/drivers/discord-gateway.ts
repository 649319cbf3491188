import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { PlatformError } from "../platform-error";
import { readJson } from "../platform-http";
import { numberIn, objectIn, textIn } from "./read-members";
import { openSocket } from "./socket";

type Gateway = {
  address: () => Promise<string>;
  token: string;
  signal: AbortSignal;
  opened: () => void;
  /** The end of an earlier connection: session, sequence and address as JSON. */
  cursor: string | null;
  /** Stores an event and the place behind it. */
  dispatch: (type: string, data: JsonObject, cursor: string) => Promise<void>;
};

/** Messages of guilds and of private chats, with their texts. */
const intents = (1 << 9) | (1 << 12) | (1 << 15);
const wanted = ["MESSAGE_CREATE", "INTERACTION_CREATE"];

/** Keeps one connection to the gateway; a lost one is resumed, so that the events of the gap come. */
export async function gateway({ address, token, signal, opened, cursor, dispatch }: Gateway): Promise<void> {
  const kept = cursor ? readJson(Buffer.from(cursor)) : null;
  let session = textIn(kept ?? {}, "session");
  let sequence = numberIn(kept ?? {}, "sequence");
  let resumeAt = textIn(kept ?? {}, "address");
  const socket = await openSocket(`${resumeAt || (await address())}/?v=10&encoding=json`, { signal, silentMs: 120_000 });
  const beat = () => socket.send(JSON.stringify({ op: 1, d: sequence }));
  const place = () => JSON.stringify({ session, sequence, address: resumeAt });
  let beating: ReturnType<typeof setInterval> | undefined;
  try {
    for await (const text of socket.messages()) {
      const message = readJson(Buffer.from(text)) ?? {};
      const data = isJsonObject(message.d) ? message.d : {};
      sequence = numberIn(message, "s") ?? sequence;
      switch (numberIn(message, "op")) {
        case 10:
          beating = setInterval(beat, numberIn(data, "heartbeat_interval") ?? 41_250);
          socket.send(JSON.stringify(session ? resume(token, session, sequence) : identify(token)));
          break;
        case 1:
          beat();
          break;
        case 7:
          throw new PlatformError("unsent", "Discord asks for a new connection.");
        case 9:
          // The session is over: the next connection begins a new one.
          await dispatch("INVALID_SESSION", {}, "");
          throw new PlatformError("unsent", "Discord ended the session.");
        case 0: {
          const type = textIn(message, "t");
          if (type === "READY") {
            session = textIn(data, "session_id");
            resumeAt = textIn(data, "resume_gateway_url");
          }
          if (type === "READY" || type === "RESUMED") opened();
          if (wanted.includes(type) || type === "READY") await dispatch(type, objectIn(data), place());
        }
      }
    }
  } finally {
    clearInterval(beating);
    socket.close();
  }
}

const identify = (token: string) => ({
  op: 2,
  d: { token, intents, properties: { os: "linux", browser: "handrail", device: "handrail" } },
});
const resume = (token: string, session: string, sequence: number | null) => ({ op: 6, d: { token, session_id: session, seq: sequence } });
