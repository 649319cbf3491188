import { type MessengerPlatform, type Place, type PlaceKind, platformFacts } from "@/contracts/messengers/messenger-platforms";
import type { MessengerRow } from "./account";
import type { ChatRow } from "./chat-context";

/** The channel of a conversation as rules name it; tools for private conversations are hidden where it says `group`. */
export const channelOf = (platform: MessengerPlatform, kind: PlaceKind): string =>
  kind === "private" ? `${platform}:private` : kind === "group" ? `${platform}:group` : `${platform}:group:thread`;

export const placeOf = ({ id, name, platform }: MessengerRow, { kind, chat, thread, title }: ChatRow): Place => ({
  messengerId: id,
  messenger: name,
  platform,
  kind,
  chat,
  thread: thread || null,
  title,
});

export const platformTitle = (platform: MessengerPlatform): string => platformFacts[platform].title;
