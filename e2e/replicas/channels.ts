import { platformFacts } from "@/contracts/messengers/messenger-platforms";
import { type MessengerDraft, messengerEndpoints } from "@/contracts/messengers/messengers";
import { startImapServer } from "@/server/testing/platforms/imap-server";
import { startMailReceiver } from "@/server/testing/platforms/mail-receiver";
import { eventPayload, slackSecrets, startSlackServer } from "@/server/testing/platforms/slack-server";
import { startTelegramServer, telegramToken } from "@/server/testing/platforms/telegram-server";
import type { Cluster } from "./cluster";

/** One way by which people write to an agent, with the platform's own server. */
export type Channel = {
  name: string;
  /** True when the platform calls us, so that the proxy knows which replica has received. */
  isCalled: boolean;
  id: string;
  /** Sends a message and comes again until it is taken, as the platform does. */
  send: (text: string) => Promise<void>;
  /** Sends the last message once more. */
  sendAgain: () => Promise<void>;
  /** Whole answers that have arrived, as they look now. */
  answers: () => string[];
  /** Calls back when the platform has received an answer, before it says so. */
  onAnswer: (listener: () => Promise<void> | void) => void;
  close: () => Promise<void>;
};

const ada = { id: 71, is_bot: false, first_name: "Ada", last_name: "L" };
const chat = { id: ada.id, type: "private" };
const api = (url: string) => ({ settings: { apiUrl: url } });

/** Connects an account for each way at which messages may be lost, each with a server of its own. */
export async function startChannels(cluster: Cluster): Promise<Channel[]> {
  return Promise.all([
    telegram(cluster, "webhook"),
    telegram(cluster, "connection"),
    slack(cluster, "webhook"),
    slack(cluster, "connection"),
    mail(cluster),
  ]);
}

type Draft = Pick<MessengerDraft, "platform" | "transport"> & Partial<MessengerDraft>;

async function connect({ admin }: Cluster, draft: Draft): Promise<{ id: string; name: string }> {
  const name = `${platformFacts[draft.platform].title} ${draft.transport}`;
  const { id } = await admin.call(messengerEndpoints.create, { body: { writers: "anyone", joinSeconds: 0, name, ...draft } });
  return { id, name };
}

async function telegram(cluster: Cluster, transport: "webhook" | "connection"): Promise<Channel> {
  const server = await startTelegramServer();
  const { id, name } = await connect(cluster, { platform: "telegram", transport, ...api(server.url), secrets: { token: telegramToken } });
  const address = `${cluster.proxy.url}/messengers/${id}/webhook`;
  let number = 0;
  let last: () => Promise<void> = async () => {};
  return {
    ...{ id, name, isCalled: transport === "webhook", close: server.close },
    async send(text) {
      number += 1;
      const message = { message_id: 100_000 + number, date: 1, chat, from: ada, text };
      last = async () => {
        if (transport === "webhook") await server.deliver(address, { message });
        else server.update({ message });
      };
      await last();
    },
    sendAgain: () => last(),
    answers: () => [...server.messages.values()].map(({ text }) => String(text)),
    onAnswer(listener) {
      server.meanwhile.call = (method) => (method === "sendMessage" || method === "editMessageText" ? listener() : undefined);
    },
  };
}

async function slack(cluster: Cluster, transport: "webhook" | "connection"): Promise<Channel> {
  const server = await startSlackServer();
  const { id, name } = await connect(cluster, { platform: "slack", transport, ...api(server.url), secrets: slackSecrets });
  const address = `${cluster.proxy.url}/messengers/${id}/webhook`;
  let number = 0;
  let last: () => Promise<void> = async () => {};
  return {
    ...{ id, name, isCalled: transport === "webhook", close: server.close },
    async send(text) {
      number += 1;
      const event = { type: "message", channel: "D1", channel_type: "im", user: "U1", ts: `${number}.000200`, text };
      last = async () => {
        if (transport === "webhook") await server.event(address, event);
        else server.push(eventPayload(event, number));
      };
      await last();
    },
    sendAgain: () => last(),
    answers: () => [...server.messages.values()].map(({ text }) => text),
    onAnswer(listener) {
      server.meanwhile.call = (method) => (method === "chat.postMessage" || method === "chat.update" ? listener() : undefined);
    },
  };
}

async function mail(cluster: Cluster): Promise<Channel> {
  const [imap, smtp] = await Promise.all([startImapServer(), startMailReceiver()]);
  const settings = { address: "bot@handrail.test", imapHost: `127.0.0.1:${imap.port}`, smtpHost: smtp.address };
  const { id, name } = await connect(cluster, { platform: "email", transport: "connection", settings, secrets: { password: "right" } });
  let number = 0;
  let last = "";
  return {
    ...{ id, name, isCalled: false },
    async send(text) {
      number += 1;
      last = `From: Ada <ada@example.com>\nTo: bot@handrail.test\nSubject: Work\nMessage-ID: <m${number}@example.com>\n\n${text}\n`;
      imap.deliver(last);
    },
    // The same mail a second time in the inbox, as a server leaves it that was interrupted.
    sendAgain: async () => imap.deliver(last),
    answers: () => smtp.mails.map((mail) => mail.text ?? ""),
    onAnswer(listener) {
      smtp.meanwhile.call = listener;
    },
    close: async () => {
      await imap.close();
      await smtp.close();
    },
  };
}
