import path from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { startThrowawayPostgres } from "./throwaway-postgres";

declare module "vitest" {
  interface ProvidedContext {
    /** Where databases are made and dropped. */
    maintenanceDatabaseUrl: string;
    /** Name of the migrated, empty database that each test file gets a copy of. */
    templateDatabase: string;
  }
}

/** Before all tests: a Postgres (or the one in HANDRAIL_TEST_DATABASE_URL) with a migrated template. Returns the way back. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.HANDRAIL_TEST_DATABASE_URL;
  const server = given ? { url: given, stop: async () => {} } : await startThrowawayPostgres();
  const template = `handrail_template_${process.pid}_${Date.now().toString(36)}`;
  const maintenance = postgres(server.url, { max: 1, onnotice: () => {} });
  const tearDown = async () => {
    try {
      await maintenance`drop database if exists ${maintenance(template)} with (force)`;
      await maintenance.end();
    } finally {
      await server.stop();
    }
  };
  try {
    await maintenance`create database ${maintenance(template)}`;
    await migrateTemplate(server.url, template);
  } catch (error) {
    await tearDown();
    throw error;
  }
  project.provide("maintenanceDatabaseUrl", server.url);
  project.provide("templateDatabase", template);
  return tearDown;
}

async function migrateTemplate(serverUrl: string, template: string): Promise<void> {
  const url = new URL(serverUrl);
  url.pathname = `/${template}`;
  const connection = postgres(url.href, { max: 1, onnotice: () => {} });
  try {
    await migrate(drizzle(connection), { migrationsFolder: path.resolve(import.meta.dirname, "../../drizzle") });
  } finally {
    // Postgres refuses to clone a database that somebody is connected to.
    await connection.end();
  }
}
