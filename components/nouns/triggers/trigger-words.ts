import type { Automation, TriggerKind } from "@/contracts/automation/triggers";

export const kindWords: Record<TriggerKind, string> = {
  channel_message: "A message to an agent",
  content_match: "A message that holds a text",
  webhook: "A call of a webhook",
  agent_lifecycle: "The end of a run",
  workflow_completed: "The end of a workflow",
};

export const automationWords: Record<Automation["kind"], string> = { schedule: "Schedule", watch: "Watch", trigger: "Trigger" };

/** Describes the event or the time that starts an automation. */
export const startOf = ({ kind, startsOn }: Automation): string =>
  kind === "trigger" ? (kindWords[startsOn as TriggerKind] ?? startsOn) : kind === "watch" ? `Topic ${startsOn}` : startsOn;

export const addressOf = ({ kind, id }: Automation): string =>
  kind === "schedule" ? `/schedules?schedule=${id}` : kind === "watch" ? "/topics" : `/automations?trigger=${id}`;
