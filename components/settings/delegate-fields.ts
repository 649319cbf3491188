import type { Delegate } from "@/contracts/delegate";

/** The delegate's settings as form values; the contract parses them on saving. */
export type DelegateFields = {
  url: string;
  /** Empty keeps the stored secret. */
  secret: string;
  removesSecret: boolean;
  timeoutSeconds: number | string;
  enabled: boolean;
};

export function toDelegateFields({ url, timeoutSeconds, enabled }: Delegate): DelegateFields {
  return { url: url ?? "", secret: "", removesSecret: false, timeoutSeconds, enabled: url === null || enabled };
}

/** Returns the draft to send. An empty secret field keeps the stored secret, unless the person removes it. */
export function toDelegateDraft({ url, secret, removesSecret, timeoutSeconds, enabled }: DelegateFields, saved: Delegate) {
  const sent = removesSecret && !leadsElsewhere(url, saved) ? { secret: null } : secret === "" ? {} : { secret };
  return { url: url.trim(), timeoutSeconds, enabled, ...sent };
}

/** Returns whether an address has another origin than the saved one, because a stored secret is never sent to another origin. */
export function leadsElsewhere(url: string, saved: Delegate): boolean {
  const typed = URL.parse(url.trim());
  return saved.url !== null && typed !== null && typed.origin !== new URL(saved.url).origin;
}
