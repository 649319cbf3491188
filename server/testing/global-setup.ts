import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { migrateDatabase } from "@/db/migrate";
import { startEngine } from "@/server/jobs/engine";
import { processWide } from "@/server/platform/process-wide";
import { queues } from "./queues";
import { startThrowawayPostgres } from "./throwaway-postgres";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the database from which others are created and dropped. */
    maintenanceDatabaseUrl: string;
    /** Name of the migrated, empty database from which each test file gets a copy. */
    templateDatabase: string;
    /** Folder of the sandbox's system folders, which test files share. */
    sharedSystemFolders: string;
  }
}

/** One Postgres with one template, which the projects of one run share. The last project that ends takes it down. */
type Shared = { users: number; ready: Promise<{ url: string; template: string; tearDown: () => Promise<void> }> };

/** Starts a Postgres before all tests (or uses HANDRAIL_TEST_DATABASE_URL) and migrates a template. Returns the teardown. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = processWide<Shared>("testDatabases", () => ({ users: 0, ready: makeTemplate() }));
  shared.users += 1;
  const { url, template, tearDown } = await shared.ready;
  const systemFolders = mkdtempSync(path.join(tmpdir(), "handrail-test-system-"));
  project.provide("maintenanceDatabaseUrl", url);
  project.provide("templateDatabase", template);
  project.provide("sharedSystemFolders", systemFolders);
  return async () => {
    rmSync(systemFolders, { recursive: true, force: true });
    shared.users -= 1;
    if (shared.users === 0) await tearDown();
  };
}

async function makeTemplate(): Promise<Awaited<Shared["ready"]>> {
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
    const url = new URL(server.url);
    url.pathname = `/${template}`;
    await migrateDatabase(url.href, path.resolve(import.meta.dirname, "../../drizzle"));
    const { stop } = await startEngine(queues, { works: false, url: url.href });
    await stop();
  } catch (error) {
    await tearDown();
    throw error;
  }
  return { url: server.url, template, tearDown };
}
