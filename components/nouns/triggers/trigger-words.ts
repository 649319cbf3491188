import { timingWords } from "@/components/nouns/schedules/timing-words";
import type { Automation, TriggerKind } from "@/contracts/automation/triggers";

export const kindWords: Record<TriggerKind, string> = {
  channel_message: "A message to an agent",
  content_match: "A message that holds a text",
  webhook: "A call of a webhook",
  agent_lifecycle: "The end of a run",
  workflow_completed: "The end of a workflow",
};

export const statusWords = { succeeded: "Succeeded", failed: "Failed", limited: "Reached a limit", cancelled: "Cancelled" } as const;

export const automationWords: Record<Automation["kind"], string> = { schedule: "Schedule", watch: "Watch", trigger: "Trigger" };

/** Describes the event or the time that starts an automation. */
export function startOf({ kind, startsOn }: Pick<Automation, "kind" | "startsOn">): string {
  switch (kind) {
    case "trigger":
      return kindWords[startsOn as TriggerKind] ?? startsOn;
    case "watch":
      return `Topic ${startsOn}`;
    case "schedule":
      return scheduleWords(startsOn);
  }
}

/** The API describes a schedule as "every 3600 s", "once" or its cron expression. */
function scheduleWords(startsOn: string): string {
  const seconds = /^every (\d+) s$/.exec(startsOn)?.[1];
  if (seconds) return timingWords({ kind: "interval", everySeconds: Number(seconds) });
  return startsOn === "once" ? startsOn : timingWords({ kind: "cron", expression: startsOn });
}

export const addressOf = ({ kind, id }: Automation): string =>
  kind === "schedule" ? `/schedules?schedule=${id}` : kind === "watch" ? "/topics" : `/automations?trigger=${id}`;
