import type { JsonObject } from "@/contracts/common";
import { PlatformError } from "../platform-error";
import { type PlatformHttp, readJson } from "../platform-http";
import type { ConnectionSink, InboundEvent } from "./driver";
import { type LarkFrame, larkPing, larkReply, readLarkFrame } from "./lark-frames";
import { numberIn, objectIn, textIn } from "./read-members";
import { openSocket } from "./socket";

type App = { http: PlatformHttp; domain: string; appId: string; appSecret: string };

const usualPingSeconds = 120;
/** Other intervals would flood the platform, or keep a dead connection for hours. */
const [minPingSeconds, maxPingSeconds] = [10, 300];
const maxParts = 100;
/** Messages whose parts have not all come; older ones are sent again by the platform. */
const maxOpenMessages = 50;

/** Keeps the long connection of an app. What is stored is acknowledged; Lark sends again what is not. */
export async function holdLarkStream(
  { http, domain, appId, appSecret }: App,
  { signal, opened, store }: ConnectionSink,
  eventsOf: (payload: JsonObject) => InboundEvent[],
): Promise<void> {
  const json = { AppID: appId, AppSecret: appSecret };
  const answer = await http.call(`${domain}/callback/ws/endpoint`, { json, headers: { locale: "en" }, signal });
  if (numberIn(answer, "code") !== 0)
    throw new PlatformError("refused", `Lark: ${textIn(answer, "msg") || "no address of a long connection"}`);
  const data = objectIn(answer, "data");
  const address = textIn(data, "URL");
  const asked = numberIn(objectIn(data, "ClientConfig"), "PingInterval") || usualPingSeconds;
  const pingMs = Math.min(maxPingSeconds, Math.max(minPingSeconds, asked)) * 1_000;
  const service = Number(URL.parse(address)?.searchParams.get("service_id") ?? 0);
  const socket = await openSocket(address, { signal, silentMs: pingMs * 2 + 10_000 });
  opened();
  const ping = () => socket.send(larkPing(service));
  ping();
  const pinging = setInterval(ping, pingMs);
  const join = joinParts();
  try {
    for await (const bytes of socket.frames()) {
      const startedAt = Date.now();
      const frame = readLarkFrame(bytes);
      if (frame?.headers.type !== "event") continue;
      const payload = join(frame);
      if (!payload) continue;
      const events = eventsOf(readJson(payload) ?? {});
      if (events.length > 0) await store(events);
      socket.send(larkReply(bytes, JSON.stringify({ code: 200 }), Date.now() - startedAt));
    }
  } finally {
    clearInterval(pinging);
  }
}

/** Joins the parts of large messages. The returned function gives the whole payload with the last part, and null before. */
function joinParts(): (frame: LarkFrame) => Uint8Array | null {
  const open = new Map<string, (Uint8Array | undefined)[]>();
  return ({ headers, payload }) => {
    const [sum, seq] = [Number(headers.sum ?? 1), Number(headers.seq ?? 0)];
    const id = headers.message_id ?? "";
    if (sum === 1) return payload;
    if (!Number.isInteger(sum) || !Number.isInteger(seq) || sum < 1 || sum > maxParts || seq < 0 || seq >= sum) return null;
    const parts = open.get(id) ?? Array.from<Uint8Array | undefined>({ length: sum });
    if (parts.length !== sum) return null;
    parts[seq] = payload;
    open.set(id, parts);
    const [oldest] = open.keys();
    if (open.size > maxOpenMessages && oldest !== undefined) open.delete(oldest);
    if (parts.includes(undefined)) return null;
    open.delete(id);
    return Buffer.concat(parts.filter((part) => part !== undefined));
  };
}
