import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { actsInside, reads, sends } from "@/server/guard/effects/declare-effects";
import { detectMediaType } from "@/server/mcp/connect/content/detect-media-type";
import { AppError } from "@/server/platform/errors";
import { type AnyTool, defineTool } from "@/server/tools/define-tool";
import { maxToolFileBytes, messengersCapability } from "../messengers-capability";

type As = "file" | "photo" | "voice";

const words: Record<As, string> = { file: "a file", photo: "a picture", voice: "a voice message" };

/** A tool that sends a file of the conversation's folder to a chat of one messenger. */
export function telegramFileTool(messengerId: string, as: As): AnyTool {
  const caption: Record<string, z.ZodType> =
    as === "voice" ? {} : { caption: z.string().max(1_024).optional().describe("Text below the file") };
  return fileTool({
    messengerId,
    as,
    onlyInChatsOf: "telegram",
    name: `telegram_send_${as}`,
    title: `Send ${words[as]} on Telegram`,
    description: `Sends ${words[as]} from the conversation's folder to the Telegram chat of the conversation; at most 20 MiB.`,
    more: {
      ...caption,
      chat_id: z.string().max(100).optional().describe("Another chat of this account; the chat of the conversation when absent"),
    },
  });
}

/** The tool that sends a file to the place of the conversation, whatever the platform. */
export const sendFile = (): AnyTool =>
  fileTool({
    messengerId: null,
    as: "file",
    onlyInChatsOf: "any",
    name: "channel_send_file",
    title: "Send a file to the chat",
    description: "Sends a file from the conversation's folder to the chat in which the conversation takes place, such as a report as PDF.",
    more: { caption: z.string().max(1_024).optional().describe("Text with the file") },
  });

type Spec = {
  messengerId: string | null;
  as: As;
  onlyInChatsOf: string;
  name: string;
  title: string;
  description: string;
  more: Record<string, z.ZodType>;
};

function fileTool({ messengerId, as, onlyInChatsOf, name, title, description, more }: Spec): AnyTool {
  return defineTool({
    ...{ name, title, description },
    disclosure: { onlyInChatsOf },
    family: "messengers",
    tier: "core",
    effect: "write",
    needs: [files, messengersCapability],
    primaryArgument: "path",
    input: z.object({
      path: z.string().min(1).max(1_024).describe("Path of the file in the conversation's folder"),
      filename: z.string().max(150).optional().describe("Name that the receiver sees; that of the file when absent"),
      ...more,
    }),
    approval: {
      // Another chat is somebody else's, so the guard asks about it.
      effects: (args) => [
        reads("/path", String(args.path)),
        "chat_id" in args && args.chat_id
          ? sends("", "https://api.telegram.org")
          : actsInside("sends a file to the chat of the conversation"),
      ],
    },
    async execute(args, { files, messengers }) {
      const { path, filename, caption, chat_id: chatId } = args as { path: string; filename?: string; caption?: string; chat_id?: string };
      const found = await files.stat(path);
      if (found.kind !== "file") throw new AppError("invalid", `${path} is a folder. Name a file.`);
      if (found.bytes > maxToolFileBytes) throw new AppError("too_large", `${path} is larger than 20 MiB. Send a smaller one.`);
      const bytes = await files.readBytes(path, { maxBytes: maxToolFileBytes });
      const mediaType = detectMediaType(bytes);
      if (as === "photo" && !/^image\/(png|jpeg|webp)$/.test(mediaType))
        throw new AppError("invalid", `${path} is no PNG, JPEG or WebP picture. Send it as a file.`);
      if (as === "voice" && !/^audio\//.test(mediaType)) throw new AppError("invalid", `${path} is no audio file. Send it as a file.`);
      return messengers.sendFile(messengerId, chatId, { name: filename || found.name, mediaType, bytes, caption: caption ?? "", as });
    },
  });
}
