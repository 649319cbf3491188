import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@/contracts/common";

export type TelegramCall = { method: string; body: JsonObject };
type Answer = { status?: number; body: JsonObject | string; headers?: Record<string, string> } | "hang" | null;

/** A server that speaks Telegram's Bot API for one bot, as much of it as the driver uses. */
export type TelegramServer = {
  url: string;
  /** Calls in order, without getUpdates. */
  calls: TelegramCall[];
  /** Messages that the bot has sent and how they look after edits, by their ids. */
  messages: Map<number, JsonObject>;
  /** Adds an update for polling and returns it. */
  update: (update: JsonObject) => JsonObject;
  /** A message of a person in a private chat as an update. */
  message: (text: string, values?: JsonObject) => JsonObject;
  /** A click on a button of a message. */
  click: (messageId: number, data: string, from?: JsonObject) => JsonObject;
  /** Answers the next matching call in place of the usual answer. */
  answerNext: (method: string, answer: Answer) => void;
  /** Files of people, by their ids. */
  files: Map<string, Uint8Array>;
  /** Files that the bot has sent, by the ids of their messages. */
  sentFiles: Map<number, { name: string; bytes: Buffer }>;
  /** Delivers an update to a callback address until it is taken, as Telegram does. */
  deliver: (address: string, update: JsonObject) => Promise<void>;
  /** Called for each call when it has had its effect, before it is answered. */
  meanwhile: { call: (method: string, body: JsonObject) => Promise<void> | void };
  close: () => Promise<void>;
};

export const telegramToken = "123456:test-token-of-a-bot";
export const ada = { id: 71, is_bot: false, first_name: "Ada", last_name: "L" };

const repeatEveryMs = 250;

export async function startTelegramServer(): Promise<TelegramServer> {
  const calls: TelegramCall[] = [];
  const messages = new Map<number, JsonObject>();
  const files = new Map<string, Uint8Array>();
  const sentFiles: TelegramServer["sentFiles"] = new Map();
  const meanwhile: TelegramServer["meanwhile"] = { call: () => {} };
  const updates: JsonObject[] = [];
  const waiting: (() => void)[] = [];
  const planned: { method: string; answer: Answer }[] = [];
  let next = 1_000;
  const number = () => {
    next += 1;
    return next;
  };

  const results: Record<string, (body: JsonObject) => unknown> = {
    getMe: () => ({ id: 42, is_bot: true, first_name: "Helper", username: "helper_bot" }),
    sendMessage: (body) => keep(body),
    sendPhoto: (body) => keep(body),
    sendDocument: (body) => keep(body),
    sendVoice: (body) => keep(body),
    editMessageText: (body) => {
      const id = Number(body.message_id);
      messages.set(id, {
        ...messages.get(id),
        ...body,
        reply_markup: body.reply_markup ?? null,
        edits: Number(messages.get(id)?.edits ?? 0) + 1,
      });
      return messages.get(id);
    },
    getFile: (body) => ({ file_id: body.file_id, file_path: `documents/${body.file_id}.txt` }),
  };
  const keep = (body: JsonObject) => {
    const id = number();
    messages.set(id, { ...body, message_id: id, edits: 0 });
    return messages.get(id);
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? "";
    const file = new RegExp(`^/file/bot${telegramToken}/documents/(.+)\\.txt$`).exec(path)?.[1];
    if (file) return void response.writeHead(200).end(files.get(file));
    const method = new RegExp(`^/bot${telegramToken}/(\\w+)$`).exec(path)?.[1];
    if (!method) return send(response, 401, { ok: false, error_code: 401, description: "Unauthorized" });
    const { body, file: given } = await bodyOf(request, Buffer.concat(chunks));
    if (method === "getUpdates") return poll(body, response);
    calls.push({ method, body });
    const at = planned.findIndex((plan) => plan.method === method);
    if (at >= 0) {
      const [plan] = planned.splice(at, 1);
      if (plan?.answer === "hang") return;
      if (plan?.answer) {
        const { status = 200, body: given, headers = {} } = plan.answer;
        return void response.writeHead(status, headers).end(typeof given === "string" ? given : JSON.stringify(given));
      }
    }
    const result = results[method]?.(body) ?? true;
    if (given) sentFiles.set(next, given);
    await meanwhile.call(method, body);
    send(response, 200, { ok: true, result });
  }

  async function poll({ offset, timeout }: JsonObject, response: ServerResponse): Promise<void> {
    // An offset confirms the updates before it.
    while (updates.length > 0 && Number(updates[0]?.update_id) < Number(offset ?? 0)) updates.shift();
    const due = () => [...updates];
    if (due().length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Number(timeout ?? 0) * 1_000);
        timer.unref();
        waiting.push(resolve);
        response.on("close", resolve);
      });
    }
    send(response, 200, { ok: true, result: due() });
  }

  const add = (update: JsonObject) => {
    const numbered = { update_id: number(), ...update };
    updates.push(numbered);
    for (const wake of waiting.splice(0)) wake();
    return numbered;
  };
  return {
    ...{ url, calls, messages, files, sentFiles, meanwhile },
    update: add,
    deliver: async (address, update) => {
      const secret = calls.findLast(({ method }) => method === "setWebhook")?.body.secret_token;
      const headers = { "content-type": "application/json", "x-telegram-bot-api-secret-token": String(secret) };
      const body = JSON.stringify({ update_id: number(), ...update });
      for (;;) {
        const answer = await fetch(address, { method: "POST", headers, body, signal: AbortSignal.timeout(5_000) }).catch(() => null);
        if (answer?.ok) return;
        await new Promise((resolve) => setTimeout(resolve, repeatEveryMs));
      }
    },
    message: (text, values = {}) =>
      add({ message: { message_id: number(), date: 1, chat: { id: ada.id, type: "private" }, from: ada, text, ...values } }),
    click: (messageId, data, from = ada) =>
      add({
        callback_query: {
          id: `c${number()}`,
          from,
          data,
          message: { message_id: messageId, date: 1, chat: { id: ada.id, type: "private" } },
        },
      }),
    answerNext: (method, given) => planned.push({ method, answer: given }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

type Body = { body: JsonObject; file?: { name: string; bytes: Buffer } };

/** JSON, or the members of a form; a file in it by its name and size. */
async function bodyOf({ headers }: IncomingMessage, bytes: Buffer): Promise<Body> {
  const type = headers["content-type"] ?? "";
  if (!type.startsWith("multipart/")) return { body: bytes.byteLength === 0 ? {} : (JSON.parse(bytes.toString("utf8")) as JsonObject) };
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  const file = [...form.values()].find((value) => typeof value !== "string");
  const body = Object.fromEntries(
    [...form].map(([name, value]) => [name, typeof value === "string" ? value : { name: value.name, bytes: value.size }]),
  );
  return file ? { body, file: { name: file.name, bytes: Buffer.from(await file.arrayBuffer()) } } : { body };
}
