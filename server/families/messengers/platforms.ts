import { type MessengerPlatform, platformFacts } from "@/contracts/messengers/messenger-platforms";
import type { TextStyle } from "./text/text-styles";

export type PlatformLimits = {
  /** Characters of one message as the platform counts them, after formatting. */
  text: number;
  /** Characters of a card; more are cut, or refuse the card. */
  card: number;
  /** Buttons of a card; 0: decisions are typed. */
  buttons: number;
  canEdit: boolean;
  /** Milliseconds between two edits of a streamed answer. */
  editEveryMs: { private: number; group: number };
  /** Kinds of files that the platform takes from apps. */
  files: "all" | "images" | "none";
  /** Bytes of a file that the platform takes. */
  fileBytes: number;
  /** The platform recognises a repeated part by its key, so that a part of unknown fate may be sent again. */
  repeatable: boolean;
  style: TextStyle;
};

const megabyte = 1_048_576;
const slow = { private: 1_500, group: 3_000 };

export const platformLimits: Readonly<Record<MessengerPlatform, PlatformLimits>> = {
  telegram: {
    text: 4_096,
    card: 4_096,
    buttons: 8,
    canEdit: true,
    editEveryMs: { private: 1_100, group: 3_100 },
    files: "all",
    fileBytes: 20 * megabyte,
    repeatable: false,
    style: "html",
  },
  slack: {
    text: 12_000,
    card: 2_900,
    buttons: 5,
    canEdit: true,
    editEveryMs: slow,
    files: "all",
    fileBytes: 30 * megabyte,
    repeatable: false,
    style: "slack",
  },
  email: {
    text: 200_000,
    card: 200_000,
    buttons: 0,
    canEdit: false,
    editEveryMs: slow,
    files: "all",
    fileBytes: 15 * megabyte,
    repeatable: false,
    style: "plain",
  },
  discord: {
    text: 2_000,
    card: 2_000,
    buttons: 5,
    canEdit: true,
    editEveryMs: slow,
    files: "all",
    fileBytes: 10 * megabyte,
    repeatable: true,
    style: "markdown",
  },
  whatsapp: {
    text: 4_096,
    card: 1_024,
    buttons: 3,
    canEdit: false,
    editEveryMs: slow,
    files: "all",
    fileBytes: 16 * megabyte,
    repeatable: false,
    style: "whatsapp",
  },
  line: {
    text: 5_000,
    card: 5_000,
    buttons: 4,
    canEdit: false,
    editEveryMs: slow,
    files: "none",
    fileBytes: 0,
    repeatable: true,
    style: "plain",
  },
  lark: {
    text: 20_000,
    card: 20_000,
    buttons: 5,
    canEdit: true,
    editEveryMs: slow,
    files: "all",
    fileBytes: 30 * megabyte,
    repeatable: true,
    style: "markdown",
  },
  dingtalk: {
    text: 5_000,
    card: 5_000,
    buttons: 0,
    canEdit: false,
    editEveryMs: slow,
    files: "all",
    fileBytes: 20 * megabyte,
    repeatable: false,
    style: "markdown",
  },
  wecom: {
    text: 2_000,
    card: 2_000,
    buttons: 0,
    canEdit: false,
    editEveryMs: slow,
    files: "all",
    fileBytes: 20 * megabyte,
    repeatable: false,
    style: "plain",
  },
  teams: {
    text: 20_000,
    card: 20_000,
    buttons: 5,
    canEdit: true,
    editEveryMs: slow,
    files: "images",
    fileBytes: megabyte,
    repeatable: false,
    style: "markdown",
  },
  google_chat: {
    text: 4_000,
    card: 4_000,
    buttons: 5,
    canEdit: true,
    editEveryMs: slow,
    files: "none",
    fileBytes: 0,
    repeatable: true,
    style: "slack",
  },
  // Pages fetch what was stored for them, so that sending is done at once.
  website: {
    text: 20_000,
    card: 20_000,
    buttons: 0,
    canEdit: false,
    editEveryMs: slow,
    files: "all",
    fileBytes: 20 * megabyte,
    repeatable: true,
    style: "plain",
  },
};

/** Images that Teams shows inside of a message. */
const shownImages = /^image\/(png|jpeg|gif)$/;

/** Says why a platform does not take a file from an app; null when it does. */
export function fileFault(platform: MessengerPlatform, { mediaType, bytes }: { mediaType: string; bytes: number }): string | null {
  const { files, fileBytes } = platformLimits[platform];
  const { title } = platformFacts[platform];
  if (files === "none") return `${title} takes no files from apps.`;
  if (files === "images" && !shownImages.test(mediaType)) return `${title} takes only PNG, JPEG and GIF images from apps.`;
  return bytes > fileBytes ? `${title} takes files up to ${fileBytes / megabyte} MiB.` : null;
}
