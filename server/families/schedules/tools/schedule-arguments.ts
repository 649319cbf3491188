import { z } from "zod";
import { maxScheduleText } from "@/contracts/automation/schedules";
import type { DeclaredEffect } from "@/server/guard/effects/declare-effects";
import { AppError, isAppError } from "@/server/platform/errors";
import { assertCron } from "../next-run";

export const nameArgument = z.string().trim().min(1).max(90).describe("Short name of the job");
export const textArgument = (what: string) => z.string().trim().min(1).max(maxScheduleText).describe(what);
export const cronArgument = z.string().trim().min(1).max(100).describe("Five cron fields: 0 9 * * 1-5");
export const timezoneArgument = z.string().trim().min(1).max(100).default("UTC").describe("IANA name, such as Europe/Paris");

export const timingAliases = {
  cron_expression: "cronExpression",
  cron: "cronExpression",
  expression: "cronExpression",
  schedule: "cronExpression",
  time_zone: "timezone",
  tz: "timezone",
} as const;

/** Work for later, when nobody watches. */
export const schedulesWork = (argument: string): DeclaredEffect => ({ kind: "schedule", argument });

/** The sentence about arguments that one action of a tool needs. */
export const missingArguments = (tool: string, names: readonly string[]): string =>
  `Missing required arg(s) for ${tool}: ${names.join(", ")}`;

/** Rethrows a refusal with the words that models know. */
export function asFailure(error: unknown): never {
  if (isAppError(error)) throw new AppError(error.code, `Failed to create cron job: ${error.message}`, error.details);
  throw error;
}

/** Refuses a time that never comes before a person is asked for approval. @throws AppError `invalid` */
export function assertUsableTime({
  cronExpression = "0 0 * * *",
  timezone,
}: {
  cronExpression?: string | undefined;
  timezone: string;
}): void {
  try {
    assertCron(cronExpression, timezone);
  } catch (error) {
    asFailure(error);
  }
}
