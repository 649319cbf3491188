import type { Delegate } from "@/contracts/delegate";

/** What the form of the delegate holds; it is parsed by the contract when it is saved. */
export type DelegateFields = {
  url: string;
  /** Empty: the stored one stays. */
  secret: string;
  removesSecret: boolean;
  timeoutSeconds: number | string;
  enabled: boolean;
};

export function delegateFieldsOf({ url, timeoutSeconds, enabled }: Delegate): DelegateFields {
  return { url: url ?? "", secret: "", removesSecret: false, timeoutSeconds, enabled: url === null || enabled };
}

/** What is sent. A secret that nobody typed is left out, and the stored one stays, unless it is to go. */
export function delegateDraftOf({ url, secret, removesSecret, timeoutSeconds, enabled }: DelegateFields, saved: Delegate) {
  const sent = removesSecret && !leadsElsewhere(url, saved) ? { secret: null } : secret === "" ? {} : { secret };
  return { url: url.trim(), timeoutSeconds, enabled, ...sent };
}

/** Whether an address has another host than the saved one, to which a stored secret is not sent. */
export function leadsElsewhere(url: string, saved: Delegate): boolean {
  const typed = URL.parse(url.trim());
  return saved.url !== null && typed !== null && typed.origin !== new URL(saved.url).origin;
}
