import "server-only";
import { readFileSync } from "node:fs";
import path from "node:path";
import { checkServer } from "@/db/check-server";
import { readPostmaster } from "@/db/postmaster";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { type Env, parseEnv, provideEnv } from "@/server/platform/env";
import { toErrorMessage } from "@/server/platform/errors";
import { prepareFolder } from "./prepare-folder";

/** One requirement of Handrail, and whether it is met. */
export type Finding = { name: string; isGood: boolean; sentence: string };

const oldestNode = 20;

/** Checks the requirements of a start. The only change is a trial write into the data folder. */
export async function diagnose(variables: Record<string, string | undefined>): Promise<Finding[]> {
  const node = nodeFinding(process.version);
  let given: Env;
  try {
    given = parseEnv(variables);
  } catch (error) {
    return [node, { name: "Settings", isGood: false, sentence: `${toErrorMessage(error)}.` }];
  }
  const settings = { name: "Settings", isGood: true, sentence: "Every variable can be read." };
  const folder = await folderFinding(given.dataDir);
  const database = await databaseFinding(given);
  if (!folder.isGood) return [node, settings, folder, database];
  provideEnv(given);
  return [node, settings, folder, database, sandboxFinding()];
}

function nodeFinding(version: string): Finding {
  const isGood = Number(/^v(\d+)/.exec(version)?.[1]) >= oldestNode;
  return { name: "Node", isGood, sentence: isGood ? `${version} runs.` : `${version} is too old: install Node ${oldestNode} or newer.` };
}

async function folderFinding(dataDir: string): Promise<Finding> {
  try {
    await prepareFolder(dataDir, "HANDRAIL_DATA_DIR");
    return { name: "Data folder", isGood: true, sentence: `${dataDir} can be written to.` };
  } catch (error) {
    return { name: "Data folder", isGood: false, sentence: toErrorMessage(error) };
  }
}

async function databaseFinding({ databaseUrl, dataDir }: Env): Promise<Finding> {
  const name = "Database";
  const url = databaseUrl ?? embeddedUrl(dataDir);
  if (url === null) return { name, isGood: true, sentence: "The embedded Postgres is not running; npm start starts it." };
  try {
    await checkServer(url);
    return { name, isGood: true, sentence: `${databaseUrl ? "The Postgres of DATABASE_URL" : "The embedded Postgres"} answers.` };
  } catch (error) {
    return { name, isGood: false, sentence: toErrorMessage(error) };
  }
}

/** Returns the URL of a running embedded Postgres; null when none runs. */
function embeddedUrl(dataDir: string): string | null {
  const cluster = path.join(dataDir, "postgres");
  if (!readPostmaster(cluster)?.isReady) return null;
  try {
    // The fourth line of postmaster.pid is the port.
    const port = readFileSync(path.join(cluster, "postmaster.pid"), "utf8").split("\n")[3];
    const password = readFileSync(path.join(dataDir, "postgres-password"), "utf8").trim();
    return `postgres://handrail:${password}@127.0.0.1:${port}/handrail`;
  } catch {
    return null;
  }
}

/** Reports a missing sandbox as a fault, unless the operator switched the sandbox off. */
function sandboxFinding(): Finding {
  const { setting, isOn, sentence } = sandboxStatus();
  return { name: "Sandbox", isGood: isOn || setting === "off", sentence };
}
