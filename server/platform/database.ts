import "server-only";
import { connect } from "@/db/client";
import { env } from "./env";
import { processWide } from "./process-wide";

export function databaseUrl(): string {
  const url = env().databaseUrl;
  if (!url) throw new Error("DATABASE_URL is not set; npm start sets it for the embedded Postgres");
  return url;
}

const connection = () => processWide("database", () => connect(databaseUrl()));

/** The database of this process. */
export const db = () => connection().db;

/** The driver underneath, for LISTEN and for streaming cursors. */
export const postgresPool = () => connection().pool;
