import { parseAsStringLiteral } from "nuqs/server";

export const agentTabs = ["tools", "settings", "skills", "memory", "keys", "calls", "runs", "versions"] as const;

/** Search parameters of an agent's page. */
export const agentSearch = { tab: parseAsStringLiteral(agentTabs).withDefault("tools") };
