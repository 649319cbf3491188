import "server-only";
import { eq } from "drizzle-orm";
import { shellSessions } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import type { SessionReport } from "@/server/capabilities/shell/session-report";
import { atPlace } from "@/server/capabilities/workspace-path";
import { loadsPrograms } from "@/server/guard/programs/environment";
import { seal, unseal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { throughOutages } from "@/server/platform/database/through-outages";
import { isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { loadShellSettings } from "./shell-settings";

/** The folder and the variables with which the next command of a conversation starts. */
export type ShellSession = {
  /** Relative to the workspace; "." for its top. */
  folder: string;
  environment: Readonly<Record<string, string>>;
  /** The folder in which the last command ended, when that folder no longer exists. */
  lostFolder: string | null;
};

/** Changes at a command's end, in words for the model; empty without surprises. */
export type SessionNotes = { folder: string; notes: string[] };

export type ShellSessionCapability = {
  load: () => Promise<ShellSession>;
  save: (report: SessionReport) => Promise<SessionNotes>;
};

const maxVariables = 100;
const maxEnvironmentChars = 32_000;

export const shellSession = defineCapability({
  name: "shell_session",
  title: "The folder and variables of the conversation's shell",
  isOfConversation: true,
  create: ({ workspaceId, conversationId, folder, inBackground }): ShellSessionCapability => ({
    load: async () => {
      const { variables } = await throughOutages(() => loadShellSettings(workspaceId));
      const session = await loadSession(conversationId, folder);
      return { ...session, environment: { ...variables, ...session.environment } };
    },
    // A background command may end during another command, so it changes nothing for later commands.
    save: async (report) => (inBackground ? { folder: report.folder ?? ".", notes: [] } : saveSession(conversationId, folder, report)),
  }),
});

/** Loads the session of a conversation. A folder that no longer exists is replaced by the top of the workspace. */
export async function loadSession(conversationId: string, root: string): Promise<ShellSession> {
  const [row] = await throughOutages(() => db().select().from(shellSessions).where(eq(shellSessions.conversationId, conversationId)));
  if (!row) return { folder: ".", environment: {}, lostFolder: null };
  const exists = row.folder === "." || (await isFolder(root, row.folder));
  return { folder: exists ? row.folder : ".", environment: opened(row.sealedEnvironment), lostFolder: exists ? null : row.folder };
}

async function saveSession(conversationId: string, root: string, report: SessionReport): Promise<SessionNotes> {
  const before = await loadSession(conversationId, root);
  const { environment, notKept, isTooLarge } = keptEnvironment(before.environment, report);
  const folder = report.folder ?? ".";
  if (folder !== before.folder || before.lostFolder !== null || !isEqual(environment, before.environment)) {
    const sealedEnvironment = Object.keys(environment).length === 0 ? null : seal(JSON.stringify(environment));
    await throughOutages(() =>
      db()
        .insert(shellSessions)
        .values({ conversationId, folder, sealedEnvironment })
        .onConflictDoUpdate({ target: shellSessions.conversationId, set: { folder, sealedEnvironment } }),
    );
  }
  const notes = [
    ...(report.folder === null
      ? ["The next command starts in the top folder, because this one ended in a folder outside the workspace."]
      : []),
    ...(notKept.length > 0
      ? [`Not kept for the next command: ${notKept.join(", ")}, because they change what programs run. Set them in each command.`]
      : []),
    ...(isTooLarge
      ? [
          `No new variables were kept, because more than ${maxVariables} or ${maxEnvironmentChars.toLocaleString("en")} characters are too many.`,
        ]
      : []),
  ];
  return { folder, notes };
}

/**
 * Returns the variables that the next command gets. A variable that changes which programs or code a command runs
 * (PATH, LD_PRELOAD, NODE_OPTIONS) is not kept, because the guard must see it in the command that it decides.
 */
export function keptEnvironment(before: Readonly<Record<string, string>>, { changed, unchanged }: SessionReport) {
  const changes = Object.entries(changed).filter(([, value]) => value.isWellFormed() && !value.includes("\uFFFD"));
  const notKept = changes.flatMap(([name, value]) => (loadsPrograms(name, value) ? [name] : []));
  const still = Object.fromEntries(unchanged.flatMap((name) => (before[name] === undefined ? [] : [[name, before[name]]])));
  const environment = { ...still, ...Object.fromEntries(changes.filter(([name]) => !notKept.includes(name))) };
  const isTooLarge = Object.keys(environment).length > maxVariables || JSON.stringify(environment).length > maxEnvironmentChars;
  return { environment: isTooLarge ? still : environment, notKept: notKept.sort().slice(0, 20), isTooLarge };
}

/** Returns whether a path is a folder of the workspace, without leaving the workspace. */
async function isFolder(root: string, folder: string): Promise<boolean> {
  try {
    return await atPlace(root, folder, {}, async ({ stats }) => stats?.isDirectory() === true);
  } catch (error) {
    if (isAppError(error)) return false;
    throw error;
  }
}

function opened(sealed: string | null): Record<string, string> {
  if (sealed === null) return {};
  try {
    return JSON.parse(unseal(sealed));
  } catch (error) {
    // Another HANDRAIL_SECRET_KEY: the variables are lost, and commands go on without them.
    log().warn({ err: error }, "the variables of a shell session cannot be read");
    return {};
  }
}

function isEqual(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
