import "server-only";
import { sql } from "drizzle-orm";
import { isListening } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { log } from "@/server/platform/log";
import { hasQueue } from "@/server/platform/queue";

export type Readiness = { status: "ok" | "unavailable"; checks: { database: string; jobs: string; signals: string } };

const databaseTimeoutMs = 2_000;

/** Whether this process can do its work. The checks say what is wrong in a word; the reason stands in the log. */
export async function readiness(): Promise<Readiness> {
  const checks = {
    database: await databaseAnswers(),
    jobs: hasQueue() ? "ok" : "not running",
    signals: isListening() ? "ok" : "not listening",
  };
  return { status: Object.values(checks).every((check) => check === "ok") ? "ok" : "unavailable", checks };
}

async function databaseAnswers(): Promise<string> {
  const timer = Promise.withResolvers<string>();
  const timeout = setTimeout(() => timer.resolve("does not answer"), databaseTimeoutMs);
  try {
    const answer = db()
      .execute(sql`select 1`)
      .then(() => "ok");
    return await Promise.race([answer, timer.promise]);
  } catch (error) {
    log().warn({ err: error }, "the database does not answer");
    return "does not answer";
  } finally {
    clearTimeout(timeout);
  }
}
