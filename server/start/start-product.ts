import "server-only";
import path from "node:path";
import { migrateDatabase } from "@/db/migrate";
import { StartError } from "@/db/start-error";
import { ensureAuditPartitions } from "@/server/audit/ensure-partitions";
import { boot } from "@/server/boot";
import { bootstrapWorkspace, type FirstCredentials } from "@/server/bootstrap-workspace";
import { checkSecretKey } from "@/server/families/secret-key/check-secret-key";
import { closeDatabase, databaseUrl } from "@/server/platform/database/database";
import { compareClocks } from "@/server/platform/database/shared-clock";
import { env } from "@/server/platform/env";
import { loadTokenizer } from "@/server/platform/text-encoding/tokenizer";
import { resetAdminPassword } from "@/server/reset-admin-password";
import { answerApiBefore } from "./answer-api";
import { answerHealthOnly } from "./answer-health-only";
import { answerWithNext } from "./answer-with-next";
import { removeSecretKey } from "./secret-key";
import { type Answering, listen } from "./serve";
import type { Teardown } from "./teardown";

type Given = {
  /** The checkout. */
  root: string;
  isDev: boolean;
  /** Whether the owner named in HANDRAIL_ADMIN_EMAIL gets a new password. */
  resetsPassword: boolean;
  /** Whether this start made the secret key. */
  isNewKey: boolean;
  /** Receives the steps that stop everything started here. */
  teardown: Teardown;
  say: (sentence: string) => void;
  /** Throws when a stop was requested. */
  goOn: () => void;
};

type Started = {
  first: FirstCredentials | null;
  /** Loads Next for the pages, and what the first listing needs; rejects when Next cannot start. */
  preparePages: () => Promise<void>;
};

/**
 * Starts the product on a database that answers: migrations, the first workspace, background work, the web server.
 * @returns the credentials of a new workspace. The API answers from now on; pages wait for `preparePages`.
 * @throws StartError
 */
export async function startProduct({ root, isDev, resetsPassword, isNewKey, teardown, say, goOn }: Given): Promise<Started> {
  const migrations = await migrateDatabase(databaseUrl(), path.join(root, "drizzle"));
  if (migrations > 0) say(`Database: ${migrations} ${migrations === 1 ? "migration" : "migrations"} applied`);
  teardown.add("The database pool", closeDatabase);
  // A key that was made for secrets of another key goes again, or the next start would take it for the right one.
  await checkSecretKey(isNewKey, say).catch(async (error) => {
    if (isNewKey && error instanceof StartError) await removeSecretKey(env().dataDir);
    throw error;
  });
  await compareClocks();
  // Before the first audit row, because a month with rows in the default partition never gets its own partition.
  await ensureAuditPartitions();
  const { port, role, admin } = env();
  const first = await bootstrapWorkspace(admin);
  if (resetsPassword && !first) {
    const password = await resetAdminPassword(admin);
    say(`The password of ${admin.email} is now ${admin.password ? "the one in HANDRAIL_ADMIN_PASSWORD" : password}`);
  }
  goOn();

  const booted = await boot();
  teardown.add("Background work", booted.stop, { limitMs: 25_000 });
  goOn();

  if (role === "worker") {
    await serve(answerHealthOnly());
    return { first, preparePages: async () => {} };
  }
  const next = answerWithNext({ root, port, isDev });
  // In development Next answers everything, because Next reloads edited code.
  await serve(isDev ? next : answerApiBefore(next));
  const preparePages = async () => {
    loadTokenizer();
    await next.prepare();
  };
  return { first, preparePages };

  async function serve(answering: Answering): Promise<void> {
    teardown.add("The web server", answering.close);
    const { drain } = await listen(answering, port);
    teardown.add("Open requests", drain);
  }
}
