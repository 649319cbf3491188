import type { Approval } from "@/contracts/approvals/approvals";

type Asked = Pick<Approval, "delegators" | "requestedBy">;

/**
 * Says through which agents a task came, nearest first, and for whom: "asked by coder, for writer, for Ann". Null when no
 * agent handed it on.
 */
export function askedByWords({ delegators, requestedBy }: Asked): string | null {
  const [nearest, ...others] = delegators;
  if (!nearest) return null;
  const requester = requestedBy.type === "api_key" ? `key "${requestedBy.name}"` : requestedBy.name;
  return [`asked by ${nearest.agent}`, ...others.map(({ agent }) => `for ${agent}`), `for ${requester}`].join(", ");
}
