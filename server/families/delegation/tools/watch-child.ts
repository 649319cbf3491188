import type { RunMessage } from "@/contracts/runs/runs";
import { messagesFrom } from "@/server/runs/read/load-run";
import { watchRun } from "@/server/runs/read/run-feed";

export const observeProfiles = ["default", "long_shell", "web_extract"] as const;
type Profile = (typeof observeProfiles)[number];

/** The arguments of a call that a profile shows; the default shows names only. */
const shownArguments: Record<Profile, readonly string[]> = {
  default: [],
  long_shell: ["command", "cmd", "code"],
  web_extract: ["url", "query"],
};

const maxChars = 150;

/** Tells people which tools a child calls, with the arguments of the profile. @returns how to stop */
export function watchChild(runId: string, profile: Profile, progress: (line: string) => void): () => void {
  let position = 0;
  let last = Promise.resolve();
  const look = async () => {
    for (const message of await messagesFrom(runId, position)) {
      position = message.position + 1;
      for (const call of message.toolCalls) progress(lineOf(call, profile));
    }
  };
  return watchRun(runId, ({ isDelta }) => {
    // Progress is for people, so a line that cannot be read now is left out.
    if (!isDelta) last = last.then(look).catch(() => {});
  });
}

function lineOf({ name, arguments: text }: RunMessage["toolCalls"][number], profile: Profile): string {
  let shown: unknown;
  try {
    const args = JSON.parse(text) as Record<string, unknown>;
    shown = shownArguments[profile].map((key) => args[key]).find((value) => typeof value === "string");
  } catch {
    // A model may write arguments that are no JSON; the line then names the tool alone.
  }
  return typeof shown === "string" ? `${name}: ${shown.slice(0, maxChars).toWellFormed()}` : `calls ${name}`;
}
