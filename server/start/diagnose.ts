import "server-only";
import type { DoctorCheck } from "@/contracts/operations/doctor";
import { assertUsableServer } from "@/db/assert-usable-server";
import { embeddedUrl } from "@/db/embedded-url";
import { workspaces } from "@/db/schema";
import { familyVariables } from "@/server/families/environment";
import { provideFamilies } from "@/server/families/provide-families";
import { closeDatabase, db } from "@/server/platform/database/database";
import { isMissingTable } from "@/server/platform/database/sql-state";
import { type Env, parseEnv, provideEnv } from "@/server/platform/env";
import { toErrorMessage } from "@/server/platform/errors";
import { type CheckResult, doctorChecks, runChecks } from "@/server/platform/extension-points/doctor-checks";
import { prepareFolder } from "./prepare-folder";

const oldestNode = 20;

type Options = { isOffline: boolean };

/**
 * Checks the requirements of a start, and then whatever the families check: per workspace when the database answers,
 * without it when `isOffline`. The only change is a trial write into the data folder.
 */
export async function diagnose(variables: Record<string, string | undefined>, { isOffline }: Options): Promise<DoctorCheck[]> {
  const node = checkNode(process.version);
  let given: Env;
  try {
    given = parseEnv(variables, familyVariables);
  } catch (error) {
    return complete([node, { name: "Settings", status: "failed", sentence: `${toErrorMessage(error)}.` }]);
  }
  const settings: CheckResult = { name: "Settings", status: "ok", sentence: "Every variable can be read." };
  const folder = await checkFolder(given.dataDir);
  const url = given.databaseUrl ?? embeddedUrl(given.dataDir);
  const server = isOffline
    ? { name: "Postgres", status: "skipped" as const, sentence: "Not asked, because of --offline." }
    : await checkPostgres(url, given);
  const needed = complete([node, settings, folder, server]);
  if (folder.status === "failed") return needed;
  provideEnv({ ...given, databaseUrl: url });
  provideFamilies();
  const isReachable = !isOffline && url !== null && server.status === "ok";
  return [...needed, ...(await (isReachable ? checkWorkspaces() : runChecks(offlineChecks(), "")))];
}

const offlineChecks = () => doctorChecks().filter((check) => check.isOffline);

const complete = (results: readonly CheckResult[]): DoctorCheck[] => results.map((result) => ({ wayOut: null, link: null, ...result }));

/** Runs every check for each workspace. A database without tables has no workspace yet, so the offline checks remain. */
async function checkWorkspaces(): Promise<DoctorCheck[]> {
  try {
    const found = await db().select({ id: workspaces.id, name: workspaces.name }).from(workspaces);
    const checked = await Promise.all(found.map(async ({ id, name }) => ({ name, checks: await runChecks(doctorChecks(), id) })));
    if (checked.length > 0)
      return checked.flatMap(({ name, checks }) =>
        checked.length === 1 ? checks : checks.map((check) => ({ ...check, name: `${name}: ${check.name}` })),
      );
  } catch (error) {
    if (!isMissingTable(error)) throw error;
  } finally {
    await closeDatabase();
  }
  return runChecks(offlineChecks(), "");
}

function checkNode(version: string): CheckResult {
  const isGood = Number(/^v(\d+)/.exec(version)?.[1]) >= oldestNode;
  if (isGood) return { name: "Node", status: "ok", sentence: `${version} runs.` };
  return { name: "Node", status: "failed", sentence: `${version} is too old.`, wayOut: `Install Node ${oldestNode} or newer.` };
}

async function checkFolder(dataDir: string): Promise<CheckResult> {
  try {
    await prepareFolder(dataDir, "HANDRAIL_DATA_DIR");
    return { name: "Data folder", status: "ok", sentence: `${dataDir} can be written to.` };
  } catch (error) {
    return { name: "Data folder", status: "failed", sentence: toErrorMessage(error) };
  }
}

/** Checks the Postgres server itself. Named apart from the families' check of what the database holds. */
async function checkPostgres(url: string | null, { databaseUrl }: Env): Promise<CheckResult> {
  const name = "Postgres";
  if (url === null) return { name, status: "skipped", sentence: "The embedded Postgres is not running; npm start starts it." };
  try {
    await assertUsableServer(url);
    return { name, status: "ok", sentence: `${databaseUrl ? "The Postgres of DATABASE_URL" : "The embedded Postgres"} answers.` };
  } catch (error) {
    return { name, status: "failed", sentence: toErrorMessage(error) };
  }
}
