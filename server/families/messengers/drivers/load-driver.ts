import type { MessengerPlatform } from "@/contracts/messenger-platforms";
import type { PlatformHttp } from "../platform-http";
import type { Account, Driver } from "./driver";

export type MakeDriver = (account: Account, http: PlatformHttp) => Driver;

/** Each driver is loaded when its first account is used. */
const loaders: Readonly<Partial<Record<MessengerPlatform, () => Promise<MakeDriver>>>> = {
  telegram: async () => (await import("./telegram")).telegram,
  slack: async () => (await import("./slack")).slack,
};

export const loadDriver = (platform: MessengerPlatform): Promise<MakeDriver> => loaders[platform]?.() ?? Promise.reject(new Error("no driver"));
