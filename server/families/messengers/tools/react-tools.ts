import { z } from "zod";
import { actsInside, sends } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { type AnyTool, defineTool } from "@/server/tools/define-tool";
import { messengersCapability } from "../messengers-capability";

/** The reactions that Telegram permits to bots. */
const telegramEmoji =
  "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡".split(
    " ",
  );
/** Slack's usual names; those of the workspace come from Slack. */
const slackEmoji = new Set(
  "thumbsup thumbsdown +1 -1 ok_hand white_check_mark heavy_check_mark x eyes tada heart fire pray clap raised_hands wave thinking_face joy cry sob rocket star warning question exclamation 100 muscle bulb memo hourglass".split(
    " ",
  ),
);

const shared = {
  name: "message_react",
  family: "messengers",
  tier: "extension",
  effect: "write",
  needs: [messengersCapability],
  primaryArgument: "emoji",
} as const;
/** Another chat is somebody else's, so the guard asks about it. */
const effectsIn = (namedChat: string | undefined, host: string) =>
  namedChat ? [sends("", `https://${host}`)] : [actsInside("adds a reaction to a message of the chat")];

export function telegramReact(messengerId: string): AnyTool {
  return defineTool({
    ...shared,
    disclosure: { onlyInChatsOf: "telegram" },
    title: "React to a message on Telegram",
    description: "Adds an emoji to a message of the Telegram chat; to the last one of the person when no message is named.",
    input: z.object({
      emoji: z.string().min(1).max(20).describe("An emoji that Telegram permits, such as 👍"),
      message_id: z.string().max(40).optional().describe("Id of the message; the last one when absent"),
      chat_id: z.string().max(100).optional().describe("A chat of this account; that of the conversation when absent"),
      is_big: z.boolean().default(false).describe("Shows a large animation"),
    }),
    approval: { effects: ({ chat_id }) => effectsIn(chat_id, "api.telegram.org") },
    async execute({ emoji, message_id, chat_id, is_big }, { messengers }) {
      const plain = emoji.replaceAll("\ufe0f", "");
      if (!telegramEmoji.includes(plain))
        throw new AppError("invalid", `Telegram permits no reaction ${emoji}. Choose one of: ${telegramEmoji.join(" ")}`);
      return messengers.react(messengerId, chat_id, { messageRef: message_id, emoji: plain, isBig: is_big });
    },
  });
}

export function slackReact(messengerId: string): AnyTool {
  return defineTool({
    ...shared,
    disclosure: { onlyInChatsOf: "slack" },
    title: "React to a message on Slack",
    description: "Adds an emoji, by its name, to a message of the Slack channel; to the last one when no message is named.",
    input: z.object({
      emoji: z.string().min(1).max(100).describe("Name of the emoji without colons, such as thumbsup"),
      message_ts: z.string().max(40).optional().describe("Timestamp of the message; the last one when absent"),
      channel_id: z
        .string()
        .max(100)
        .optional()
        .describe("A channel in which the agent was written to; that of the conversation when absent"),
    }),
    approval: { effects: ({ channel_id }) => effectsIn(channel_id, "slack.com") },
    async execute({ emoji, message_ts, channel_id }, { messengers }) {
      const name = emoji.replaceAll(":", "").toLowerCase();
      const own = slackEmoji.has(name) ? null : await messengers.emojiNames(messengerId);
      if (own && !own.has(name))
        throw new AppError("invalid", `Slack has no emoji ${name} here. Usual ones are ${[...slackEmoji].slice(0, 12).join(", ")}.`);
      return messengers.react(messengerId, channel_id, { messageRef: message_ts, emoji: name, isBig: false });
    },
  });
}
