import "server-only";
import { realpathSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { skillSecrets } from "@/db/schema";
import { isWithin } from "@/server/capabilities/sandbox/protected-paths";
import type { OutputState } from "@/server/capabilities/shell/output-watch";
import type { ShellCapability, ShellResult } from "@/server/capabilities/shell/shell";
import { unseal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { type RichResult, toolResult } from "@/server/tools/define-tool";
import { assertSkillPath } from "./format/skill-paths";
import { textOf } from "./packages/package-files";
import { listFiles, readFile } from "./save-skill";
import { interpreterOf } from "./scan/script-kinds";
import { defaultScriptSeconds, scriptSeconds } from "./script-time";
import { skillFolder } from "./skill-folder";
import type { KnownSkill } from "./skill-state";

export type ScriptRun = { path: string; args: readonly string[]; parameters?: JsonObject; seconds?: number };

export type RunningCall = { signal: AbortSignal; timeoutMs: number; progress: (message: string) => void };

type Surroundings = RunningCall & { shellWith: (programFolders: readonly string[]) => ShellCapability };

const maxBytesPerStream = 1_000_000;
const maxStructured = 3_800;
/** Shorter values would make holes in every output. */
const shortestMasked = 6;

/**
 * Runs a script of a skill in the conversation's folder: the skill's folder is read-only, its secrets are variables.
 * @throws AppError `invalid`, `not_found`
 */
export async function runScript(
  skill: KnownSkill,
  { path: given, args, parameters, seconds: wanted = defaultScriptSeconds }: ScriptRun,
  around: Surroundings,
): Promise<RichResult> {
  const file = assertSkillPath(given);
  const found = await readFile(db(), skill.row, file);
  if (!found) throw new AppError("not_found", await missingScript(skill, file));
  const interpreter = interpreterOf(file, textOf(found.content) ?? "");
  if (interpreter === null) {
    throw new AppError(
      "invalid",
      `scriptPath: ${file} is no script that can run. Scripts end in .py, .sh, .js, .mjs, .cjs, .rb, .pl or .ps1, or name their program in their first line.`,
    );
  }
  const folder = await skillFolder(skill.row);
  const secrets = await openSecrets(skill.row.id);
  const node = interpreter === "node" ? ownNode() : null;
  const words = [node?.program ?? interpreter, path.join(folder, file), ...args].map(quoted);
  const environment = {
    ...secrets,
    SKILL_NAME: skill.row.name,
    SKILL_DIR: folder,
    ...(parameters ? { SKILL_ARGUMENTS: JSON.stringify(parameters) } : {}),
  };
  const seconds = scriptSeconds(around.timeoutMs, wanted);
  const onOutput = ({ lastLine }: OutputState) => {
    if (lastLine) around.progress(masked(lastLine, secrets));
  };
  const result = await around
    .shellWith([folder, ...(node?.folders ?? [])])
    .run(`exec ${words.join(" ")}`, { timeoutMs: seconds * 1_000, signal: around.signal, maxBytesPerStream, environment, onOutput });
  return present(result, { seconds, secrets, folder });
}

/** A word of a command line, as a shell takes it literally. */
const quoted = (word: string): string => {
  if (word.includes("\0")) throw new AppError("invalid", "args: a NUL character cannot be given to a program. Leave it out.");
  return `'${word.replaceAll("'", `'\\''`)}'`;
};

/** Scripts in JavaScript run with the Node of Handrail, because the machine's may be old or missing. */
function ownNode(): { program: string; folders: readonly string[] } {
  const program = realpathSync(process.execPath);
  return { program, folders: isWithin(program, "/usr") ? [] : [path.dirname(program)] };
}

async function missingScript({ row }: KnownSkill, file: string): Promise<string> {
  const scripts = (await listFiles(db(), row)).filter(({ path: name }) => interpreterOf(name, "") !== null).map(({ path: name }) => name);
  const known = scripts.length > 0 ? `It has ${scripts.slice(0, 20).join(", ")}.` : "It has no scripts.";
  return `scriptPath: the skill ${row.name} has no file ${file}. ${known}`;
}

async function openSecrets(skillId: string): Promise<Record<string, string>> {
  const rows = await db().select().from(skillSecrets).where(eq(skillSecrets.skillId, skillId));
  return Object.fromEntries(rows.map(({ name, valueSealed }) => [name, unseal(valueSealed)]));
}

/** Secrets of the skill are given to the script and to nobody else. */
function masked(text: string, secrets: Readonly<Record<string, string>>): string {
  let shown = text;
  for (const [name, value] of Object.entries(secrets)) {
    if (value.length >= shortestMasked) shown = shown.replaceAll(value, `[secret ${name}]`);
  }
  return shown;
}

function present(
  result: ShellResult,
  { seconds, secrets, folder }: { seconds: number; secrets: Readonly<Record<string, string>>; folder: string },
): RichResult {
  const { exitCode, timedOut } = result;
  const plain = (text: string) => masked(text, secrets).replaceAll(`${folder}/`, "");
  const [stdout, stderr] = [plain(result.stdout), plain(result.stderr)];
  const ending = timedOut
    ? `exit code ${exitCode}: stopped after ${seconds} seconds. Raise timeoutSeconds (at most 300), or do less at once.`
    : result.missedNetwork
      ? `exit code ${exitCode}: the sandbox has no network for this skill. An admin can allow hosts on the skill's page.`
      : `exit code ${exitCode}`;
  const notes = [...(result.networkTroubles ?? []), ...(result.changedFiles ?? [])].map((note) => `\n[${note}]`).join("");
  const errors = stderr === "" ? "" : `${stdout === "" || stdout.endsWith("\n") ? "" : "\n"}[stderr]\n${stderr}`;
  const sections = [`${ending}${notes}\n`, ...(stdout + stderr === "" ? ["(no output)"] : [stdout, errors].filter((part) => part !== ""))];
  const short = (text: string) => (JSON.stringify(text).length > maxStructured ? "" : text);
  return toolResult({
    text: sections.join(""),
    sections,
    structuredContent: {
      exitCode,
      stdout: short(stdout),
      stderr: short(stderr),
      timedOut,
      truncated: short(stdout) !== stdout || short(stderr) !== stderr,
    },
    ...(exitCode === 0 ? {} : { isError: true, ...(timedOut ? { isTimedOut: true } : { isAnswer: true }) }),
  });
}
