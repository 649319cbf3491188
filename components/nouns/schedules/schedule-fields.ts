import type { Schedule, ScheduleTiming, scheduleActions, scheduleKinds } from "@/contracts/automation/schedules";

/** The fields of the form; each kind of time keeps its own, so that a change of the kind loses nothing. */
export type Fields = {
  name: string;
  agent: string | null;
  action: (typeof scheduleActions)[number];
  text: string;
  kind: (typeof scheduleKinds)[number];
  expression: string;
  timezone: string;
  everyMinutes: number | string;
  at: string;
  /** Missed runs are made up for. */
  missed: boolean;
  enabled: boolean;
};

export const emptyFields: Fields = {
  name: "",
  agent: null,
  action: "prompt",
  text: "",
  kind: "cron",
  expression: "0 9 * * 1-5",
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  everyMinutes: 60,
  at: "",
  missed: true,
  enabled: true,
};

export function fieldsOf({ name, action, text, timing, timezone, missed, enabled }: Schedule): Fields {
  return {
    ...emptyFields,
    ...{ name, action, text, timezone, enabled },
    missed: missed === "run_once",
    kind: timing.kind,
    ...(timing.kind === "cron" ? { expression: timing.expression } : {}),
    ...(timing.kind === "interval" ? { everyMinutes: timing.everySeconds / 60 } : {}),
    ...(timing.kind === "once" ? { at: localMinute(new Date(timing.at)) } : {}),
  };
}

/** Returns the draft of the fields. The agent of a schedule stays, so only a new schedule names one. */
export function draftOf({ name, action, text, timezone, missed, enabled, agent, ...timing }: Fields) {
  return {
    ...{ name, action, text, timezone, enabled },
    missed: missed ? "run_once" : "skip",
    timing: timingOf(timing),
    ...(agent ? { agent } : {}),
  };
}

/** Returns the timing of the fields; the contract refuses what is incomplete. */
export function timingOf({
  kind,
  expression,
  everyMinutes,
  at,
}: Pick<Fields, "kind" | "expression" | "everyMinutes" | "at">): ScheduleTiming {
  switch (kind) {
    case "cron":
      return { kind, expression };
    case "interval":
      return { kind, everySeconds: Number(everyMinutes) * 60 };
    case "once": {
      const time = new Date(at);
      return { kind, at: Number.isNaN(time.getTime()) ? "" : time.toISOString() };
    }
  }
}

/** Returns the field of the form that an error's path belongs to. */
export function fieldOf([first = "", second]: readonly string[], kind: Fields["kind"]): string {
  if (first !== "timing") return first;
  if (second === "everySeconds" || (second === undefined && kind === "interval")) return "everyMinutes";
  if (second === "at" || (second === undefined && kind === "once")) return "at";
  return "expression";
}

/** A time as the browser's field for local times takes it. */
function localMinute(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, "2026-01-01T00:00".length);
}
