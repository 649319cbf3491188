import type { CodingClient } from "@/contracts/agents/coding-agents";
import type { SessionRow } from "./sessions";

/** The oldest version of each client whose hooks do what Handrail relies on, and what an older one does. */
const oldest: Partial<Record<CodingClient, { version: string; why: string }>> = {
  "claude-code": { version: "2.1.295", why: "lets a call run when its hook fails" },
  codex: { version: "0.124.0", why: "has no hooks before its calls" },
};

/** A hook that gives up sooner leaves people no time to answer. */
const shortTimeoutSeconds = 120;

/** Says what is wrong with the connection of a session, each with what to do. */
export function findProblems({
  client,
  version,
  bypassed,
  hookTimeout,
  blocksOnFailure,
  policyMistake = null,
}: Pick<SessionRow, "client" | "version" | "bypassed" | "hookTimeout" | "blocksOnFailure"> & { policyMistake?: string | null }): string[] {
  const needed = oldest[client];
  return [
    ...(policyMistake === null ? [] : [`${policyMistake} Until it is mended, each call that changes something asks a person.`]),
    ...(client === "claude-code" && blocksOnFailure === false
      ? [
          'The hook does not say onFailure: "block", so Claude Code runs a call whose hook fails or takes too long. Connect the client again; a hook of type http also needs onFailure=block in its address.',
        ]
      : []),
    ...(bypassed > 0
      ? ["Calls ran without being released: the hook before calls is missing, not trusted or switched off. Connect the client again."]
      : []),
    ...(needed && version && isOlder(version, needed.version)
      ? [`Version ${version} ${needed.why}. Update to ${needed.version} or newer.`]
      : []),
    ...(hookTimeout !== null && hookTimeout < shortTimeoutSeconds
      ? [`The hook gives up after ${hookTimeout} seconds, which leaves people hardly any time. Connect the client again to set an hour.`]
      : []),
  ];
}

function isOlder(version: string, than: string): boolean {
  const parts = (text: string) => text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0);
  const [given, wanted] = [parts(version), parts(than)];
  for (const [place, part] of wanted.entries()) {
    const own = given[place] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}
