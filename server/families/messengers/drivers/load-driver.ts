import type { MessengerPlatform } from "@/contracts/messengers/messenger-platforms";
import type { PlatformHttp } from "../platform-http";
import type { Account, Driver } from "./driver";

export type MakeDriver = (account: Account, http: PlatformHttp) => Driver;

/** Each driver is loaded when its first account is used. */
const loaders: Readonly<Record<MessengerPlatform, () => Promise<MakeDriver>>> = {
  telegram: async () => (await import("./telegram")).telegram,
  slack: async () => (await import("./slack")).slack,
  email: async () => (await import("./email")).email,
  discord: async () => (await import("./discord")).discord,
  whatsapp: async () => (await import("./whatsapp")).whatsapp,
  line: async () => (await import("./line")).line,
  lark: async () => (await import("./lark")).lark,
  dingtalk: async () => (await import("./dingtalk")).dingtalk,
  wecom: async () => (await import("./wecom")).wecom,
  teams: async () => (await import("./teams")).teams,
  google_chat: async () => (await import("./google-chat")).googleChat,
  website: async () => (await import("./website")).website,
};

export const loadDriver = (platform: MessengerPlatform): Promise<MakeDriver> => loaders[platform]();
