import type { Delegate } from "@/contracts/agents/delegate";

/** The delegate's settings as form values; the contract parses them on saving. */
export type DelegateFields = {
  /** The agent that carries tasks out; empty for a pipeline over HTTP. */
  agentId: string;
  url: string;
  /** Empty keeps the stored secret. */
  secret: string;
  removesSecret: boolean;
  timeoutSeconds: number | string;
  enabled: boolean;
};

export function toDelegateFields({ url, agentId, timeoutSeconds, enabled, version }: Delegate): DelegateFields {
  return { agentId: agentId ?? "", url: url ?? "", secret: "", removesSecret: false, timeoutSeconds, enabled: version === 0 || enabled };
}

/** Returns the draft to send. An empty secret field keeps the stored secret, unless the person removes it. */
export function toDelegateDraft({ agentId, url, secret, removesSecret, timeoutSeconds, enabled }: DelegateFields, saved: Delegate) {
  if (agentId !== "") return { agentId, timeoutSeconds, enabled };
  const sent = removesSecret && !leadsElsewhere(url, saved) ? { secret: null } : secret === "" ? {} : { secret };
  return { url: url.trim(), timeoutSeconds, enabled, ...sent };
}

/** Returns whether an address has another origin than the saved one, because a stored secret is never sent to another origin. */
export function leadsElsewhere(url: string, saved: Delegate): boolean {
  const typed = URL.parse(url.trim());
  return saved.url !== null && typed !== null && typed.origin !== new URL(saved.url).origin;
}
