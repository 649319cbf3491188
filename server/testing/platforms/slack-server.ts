import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import type { JsonObject } from "@/contracts/common";

export type SlackCall = { method: string; body: JsonObject };
export type SlackMessage = { channel: string; ts: string; text: string; blocks: JsonObject[]; thread: string; edits: number };

/** A server that speaks Slack's Web API, Events API and socket mode for one app, as much of it as the driver uses. */
export type SlackServer = {
  url: string;
  calls: SlackCall[];
  /** Messages that the app has sent and how they look after edits, by their ts. */
  messages: Map<string, SlackMessage>;
  /** Files that the app has shared. */
  shared: { channel: string; thread: string; title: string; bytes: Buffer }[];
  /** Files of people, by the end of their address. */
  files: Map<string, Uint8Array>;
  /** Signs a payload and delivers it until it is taken, as Slack does. */
  event: (address: string, event: JsonObject) => Promise<void>;
  click: (address: string, message: SlackMessage, place: number, user?: string) => Promise<void>;
  /** Sends a payload over the open connections until it is acknowledged. */
  push: (payload: JsonObject) => void;
  /** Payloads that no connection has acknowledged. */
  unacknowledged: () => number;
  /** Called for each call when it has had its effect, before it is answered. */
  meanwhile: { call: (method: string, body: JsonObject) => Promise<void> | void };
  close: () => Promise<void>;
};

export const slackSecrets = { botToken: "xoxb-test-bot", appToken: "xapp-test-app", signingSecret: "signing-secret-of-a-test" };
const repeatEveryMs = 250;
const unknownMessage: JsonObject = { ok: false, error: "message_not_found" };

export async function startSlackServer(): Promise<SlackServer> {
  const calls: SlackCall[] = [];
  const messages: SlackServer["messages"] = new Map();
  const shared: SlackServer["shared"] = [];
  const files: SlackServer["files"] = new Map();
  const uploads = new Map<string, Buffer>();
  const meanwhile: SlackServer["meanwhile"] = { call: () => {} };
  let next = 1_000;
  const number = () => {
    next += 1;
    return next;
  };

  const answers: Record<string, (body: JsonObject) => JsonObject> = {
    "auth.test": () => ({ user_id: "UBOT", user: "helper" }),
    "users.info": ({ user }) => ({
      user: { name: String(user).toLowerCase(), profile: { real_name: `Person ${user}`, email: `${user}@example.com` } },
    }),
    "chat.postMessage": ({ channel, text, blocks, thread_ts: thread }) => {
      const ts = `${number()}.000100`;
      messages.set(ts, {
        channel: String(channel),
        ts,
        text: String(text),
        blocks: listOf(blocks),
        thread: String(thread ?? ""),
        edits: 0,
      });
      return { ts };
    },
    "chat.update": ({ ts, text, blocks }) => {
      const message = messages.get(String(ts));
      if (!message) return unknownMessage;
      Object.assign(message, { text: String(text), blocks: listOf(blocks), edits: message.edits + 1 });
      return {};
    },
    "reactions.add": () => ({}),
    "emoji.list": () => ({ emoji: { ship_it: "https://emoji.example/ship" } }),
    "files.getUploadURLExternal": () => {
      const id = `F${number()}`;
      return { upload_url: `${url}/upload/${id}`, file_id: id };
    },
    "files.completeUploadExternal": ({ files: given, channel_id: channel, thread_ts: thread }) => {
      for (const { id, title } of listOf(given))
        shared.push({
          channel: String(channel),
          thread: String(thread ?? ""),
          title: String(title),
          bytes: uploads.get(String(id)) ?? Buffer.alloc(0),
        });
      return {};
    },
    "apps.connections.open": () => ({ url: `${url.replace("http:", "ws:")}/socket` }),
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { push, unacknowledged, closeSockets } = openSockets(server);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const [, first = "", id = ""] = (request.url ?? "").split("/");
    if (first === "upload") {
      uploads.set(id, bytes);
      return void response.writeHead(200).end("OK");
    }
    const token = request.headers.authorization;
    const wanted = first === "apps.connections.open" ? slackSecrets.appToken : slackSecrets.botToken;
    if (token !== `Bearer ${wanted}`) return send(response, { ok: false, error: "invalid_auth" });
    if (first === "file") return void response.writeHead(200, { "content-type": "application/octet-stream" }).end(files.get(id));
    const body = bodyOf(request.headers["content-type"] ?? "", bytes.toString("utf8"));
    calls.push({ method: first, body });
    const make = answers[first];
    const made: JsonObject = make ? { ok: true, ...make(body) } : { ok: false, error: "unknown_method" };
    await meanwhile.call(first, body);
    send(response, made);
  }

  const click: SlackServer["click"] = async (address, message, place, user = "U1") => {
    const payload = JSON.stringify(clickOf(message, place, user, `T${number()}`));
    await deliver(address, `payload=${encodeURIComponent(payload)}`, "application/x-www-form-urlencoded");
  };
  return {
    ...{ url, calls, messages, shared, files, meanwhile, push, unacknowledged, click },
    event: (address, event) => deliver(address, JSON.stringify(eventPayload(event, number())), "application/json"),
    close: async () => {
      closeSockets();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const eventPayload = (event: JsonObject, id: number): JsonObject => ({ type: "event_callback", event_id: `Ev${id}`, event });

export function clickOf(message: SlackMessage, place: number, user: string, trigger: string): JsonObject {
  const { elements } = (message.blocks.find(({ type }) => type === "actions") ?? {}) as { elements?: JsonObject[] };
  return {
    type: "block_actions",
    trigger_id: trigger,
    user: { id: user },
    channel: { id: message.channel },
    container: { message_ts: message.ts, ...(message.thread ? { thread_ts: message.thread } : {}) },
    actions: [{ value: elements?.[place]?.value ?? "" }],
  };
}

/** Signed calls, repeated until they are answered with 200. */
async function deliver(address: string, body: string, type: string): Promise<void> {
  for (;;) {
    const at = String(Math.floor(Date.now() / 1_000));
    const signature = `v0=${createHmac("sha256", slackSecrets.signingSecret).update(`v0:${at}:${body}`).digest("hex")}`;
    const headers = { "content-type": type, "x-slack-request-timestamp": at, "x-slack-signature": signature };
    const status = await fetch(address, { method: "POST", headers, body, signal: AbortSignal.timeout(3_000) }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, repeatEveryMs));
  }
}

/** Socket mode: what is not acknowledged is sent again, to whichever connection is open. */
function openSockets(server: ReturnType<typeof createServer>) {
  const open = new Set<WebSocket>();
  const waiting = new Map<string, JsonObject>();
  const sockets = new WebSocketServer({ server, path: "/socket" });
  const sendTo = (socket: WebSocket, id: string, payload: JsonObject) =>
    socket.send(JSON.stringify({ envelope_id: id, type: payload.type === "block_actions" ? "interactive" : "events_api", payload }));
  sockets.on("connection", (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => open.delete(socket));
    socket.on("message", (data) => waiting.delete(String((JSON.parse(String(data)) as JsonObject).envelope_id)));
    socket.send(JSON.stringify({ type: "hello" }));
    for (const [id, payload] of waiting) sendTo(socket, id, payload);
  });
  let next = 0;
  return {
    push: (payload: JsonObject) => {
      next += 1;
      const id = `envelope-${next}`;
      waiting.set(id, payload);
      const [socket] = open;
      if (socket) sendTo(socket, id, payload);
    },
    unacknowledged: () => waiting.size,
    closeSockets: () => {
      for (const socket of open) socket.terminate();
      sockets.close();
    },
  };
}

function send(response: ServerResponse, body: JsonObject): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);

function bodyOf(type: string, text: string): JsonObject {
  if (text === "") return {};
  return type.includes("json") ? (JSON.parse(text) as JsonObject) : Object.fromEntries(new URLSearchParams(text));
}
