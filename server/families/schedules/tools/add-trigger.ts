import { z } from "zod";
import { maxIntervalSeconds, minIntervalSeconds, type Schedule, type ScheduleTiming } from "@/contracts/automation/schedules";
import { newId } from "@/server/platform/ids";
import { defineTool } from "@/server/tools/define-tool";
import { schedules } from "../agent-schedules";
import { missingArguments, nameArgument, schedulesWork, textArgument, timezoneArgument, timingAliases } from "./schedule-arguments";

const common = { family: "schedules", tier: "extension", effect: "write", needs: [schedules], primaryArgument: "prompt" } as const;
const prompt = textArgument("The prompt that starts the conversation of each run");
const name = nameArgument.optional().describe("Its id; a taken one is refused");

export const addTimer = defineTool({
  ...common,
  name: "add_timer",
  title: "Add a timer",
  description: `**Trigger** — opens a conversation with prompt every interval seconds (${minIntervalSeconds} or more), with immediate at once, too. It goes on until it is paused or removed.`,
  names: {
    aliases: ["timer", "set_timer"],
    parameterAliases: { seconds: "interval", every_seconds: "interval", message: "prompt" },
  },
  input: z.object({
    interval: z.int().min(minIntervalSeconds).max(maxIntervalSeconds).describe("Seconds"),
    prompt,
    immediate: z.boolean().default(false).describe("Also run once at once"),
    name,
  }),
  approval: { effects: () => [schedulesWork("/prompt")] },
  async execute({ interval, prompt, immediate, name = triggerName() }, { schedules }) {
    const timing = { kind: "interval", everySeconds: interval } as const;
    const made = await schedules.create({ name, text: prompt, timing }, { takenName: "refuse", immediate });
    return setUp("add_timer", made, `an interval of ${interval} s`);
  },
});

const clockTime = /^([01]?\d|2[0-3]):([0-5]\d)$/;

export const addSchedule = defineTool({
  ...common,
  name: "add_schedule",
  title: "Add a schedule",
  description:
    "**Trigger** — opens a conversation with prompt by the clock. Send exactly one of everyMinutes (1 to 1440), dailyAt (HH:MM) and hourlyAt (minute, 0 to 59).",
  names: {
    parameterAliases: { ...timingAliases, every_minutes: "everyMinutes", daily_at: "dailyAt", hourly_at: "hourlyAt", message: "prompt" },
  },
  input: z
    .object({
      prompt,
      everyMinutes: z.int().min(1).max(1_440).optional().describe("Minutes between two runs; exactly one of the three timings"),
      dailyAt: z.string().trim().regex(clockTime, "must be HH:MM, such as 09:30").optional().describe("Time of day as HH:MM"),
      hourlyAt: z.int().min(0).max(59).optional().describe("Minute of each hour"),
      timezone: timezoneArgument,
      name,
    })
    .superRefine(({ everyMinutes, dailyAt, hourlyAt }, context) => {
      const sent = [everyMinutes, dailyAt, hourlyAt].filter((when) => when !== undefined).length;
      if (sent === 1) return;
      const either = "one of everyMinutes, dailyAt, hourlyAt";
      const message = sent === 0 ? missingArguments("add_schedule", [either]) : `send exactly ${either}`;
      context.addIssue({ code: "custom", message, path: [] });
    }),
  approval: { effects: () => [schedulesWork("/prompt")] },
  async execute({ prompt, timezone, name = triggerName(), ...when }, { schedules }) {
    const { timing, words } = timingOf(when);
    return setUp("add_schedule", await schedules.create({ name, text: prompt, timing, timezone }, { takenName: "refuse" }), words);
  },
});

type When = { everyMinutes?: number | undefined; dailyAt?: string | undefined; hourlyAt?: number | undefined };

function timingOf({ everyMinutes, dailyAt, hourlyAt }: When): { timing: ScheduleTiming; words: string } {
  if (everyMinutes !== undefined)
    return { timing: { kind: "interval", everySeconds: everyMinutes * 60 }, words: `every_minutes ${everyMinutes}` };
  if (hourlyAt !== undefined) return { timing: { kind: "cron", expression: `${hourlyAt} * * * *` }, words: `hourly_at ${hourlyAt}` };
  const [, hour = "0", minute = "0"] = clockTime.exec(dailyAt ?? "") ?? [];
  return { timing: { kind: "cron", expression: `${Number(minute)} ${Number(hour)} * * *` }, words: `daily_at ${dailyAt}` };
}

const triggerName = () => `trigger_${newId().replaceAll("-", "").slice(-8)}`;

function setUp(tool: string, { id, name, nextRunAt }: Schedule, words: string): string {
  return `Trigger \`${tool}\` correctly set up and running in the background with ${words}. trigger_id=${id} name=${name} next_run=${nextRunAt}`;
}
