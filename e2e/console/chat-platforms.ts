import type { Page } from "@playwright/test";
import { type SlackMessage, type SlackServer, slackSecrets, startSlackServer } from "@/server/testing/platforms/slack-server";
import { ada, startTelegramServer, type TelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";
import { expect } from "../fixtures";

/** A message of the agent as a person sees it. */
export type SeenMessage = { text: string; edits: number; buttons: string[]; press: (label: string) => Promise<void> };

/** A person's chat with the agent on a platform. */
export type ChatPlatform = {
  title: string;
  /** Fills the form of the page Messengers. */
  fillForm: (form: ReturnType<Page["getByRole"]>) => Promise<void>;
  /** Tells the platform the callback address. */
  calls: (address: string) => void;
  write: (text: string) => Promise<void>;
  messages: () => SeenMessage[];
  /** Files that the agent has sent, as text. */
  files: () => string[];
  close: () => Promise<void>;
};

export async function openTelegram(): Promise<ChatPlatform> {
  const server = await startTelegramServer();
  return {
    title: "Telegram",
    async fillForm(form) {
      await form.getByRole("textbox", { name: "Bot token" }).fill(telegramToken);
      await form.getByLabel("API address (optional)").fill(server.url);
    },
    calls: () => {},
    write: async (text) => void server.message(text),
    messages: () => [...server.messages.entries()].map(([id, message]) => seenOnTelegram(server, id, message)),
    files: () => [...server.sentFiles.values()].map(({ name, bytes }) => `${name}: ${bytes.toString("utf8")}`),
    close: server.close,
  };
}

function seenOnTelegram(server: TelegramServer, id: number, message: Record<string, unknown>): SeenMessage {
  const { inline_keyboard: rows = [] } = (message.reply_markup ?? {}) as { inline_keyboard?: { text: string; callback_data: string }[][] };
  const buttons = rows.flat();
  return {
    text: String(message.text ?? ""),
    edits: Number(message.edits),
    buttons: buttons.map(({ text }) => text),
    press: async (label) => void server.click(id, buttons.find(({ text }) => text === label)?.callback_data ?? "", ada),
  };
}

export async function openSlack(): Promise<ChatPlatform> {
  const server = await startSlackServer();
  let address = "";
  let number = 0;
  return {
    title: "Slack",
    async fillForm(form) {
      await form.getByLabel("Transport").selectOption("webhook");
      await form.getByRole("textbox", { name: "Bot token" }).fill(slackSecrets.botToken);
      await form.getByRole("textbox", { name: "Signing secret" }).fill(slackSecrets.signingSecret);
      await form.getByLabel("API address (optional)").fill(server.url);
    },
    calls: (given) => {
      address = given;
    },
    write: async (text) => {
      number += 1;
      await server.event(address, { type: "message", channel: "D1", channel_type: "im", user: "U1", ts: `${number}.000200`, text });
    },
    messages: () => [...server.messages.values()].map((message) => seenOnSlack(server, address, message)),
    files: () => server.shared.map(({ title, bytes }) => `${title}: ${bytes.toString("utf8")}`),
    close: server.close,
  };
}

function seenOnSlack(server: SlackServer, address: string, message: SlackMessage): SeenMessage {
  const { elements = [] } = (message.blocks.find(({ type }) => type === "actions") ?? {}) as { elements?: { text: { text: string } }[] };
  const buttons = elements.map(({ text }) => text.text);
  return { text: message.text, edits: message.edits, buttons, press: (label) => server.click(address, message, buttons.indexOf(label)) };
}

/** Waits for a message of the agent. */
export async function seen(platform: ChatPlatform, text: RegExp): Promise<SeenMessage> {
  await expect
    .poll(() => platform.messages().map((message) => message.text), { message: `a message on ${platform.title}`, timeout: 60_000 })
    .toContainEqual(expect.stringMatching(text));
  const found = platform.messages().findLast((message) => text.test(message.text));
  if (!found) throw new Error(`the message on ${platform.title} has changed meanwhile`);
  return found;
}
