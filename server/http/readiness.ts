import "server-only";
import { sql } from "drizzle-orm";
import { blobState } from "@/server/capabilities/blob-state";
import { isListening } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { log } from "@/server/platform/log";
import { hasQueue } from "@/server/platform/queue";

export type Readiness = { status: "ok" | "unavailable"; checks: { database: string; jobs: string; signals: string; blobs: string } };

const databaseTimeoutMs = 2_000;

/** Whether this process can do its work. The checks say what is wrong in a word; the reason stands in the log. */
export async function readiness(): Promise<Readiness> {
  const needed = {
    database: await databaseAnswers(),
    jobs: hasQueue() ? "ok" : "not running",
    signals: isListening() ? "ok" : "not listening",
  };
  const isReady = Object.values(needed).every((check) => check === "ok");
  // An outage of the store must not take every replica out: calls go on, and say what could not be kept.
  return { status: isReady ? "ok" : "unavailable", checks: { ...needed, blobs: await blobState() } };
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
