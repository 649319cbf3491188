import "server-only";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { digestFault } from "@/contracts/lib/package-runners";
import { AppError } from "@/server/platform/errors";
import { cleanLine } from "../text/clean-text";
import type { PlainSettings } from "./plain-settings";

/** An admin's expectations of a server. A server that does not meet them is rejected. */
export type Expectations = {
  [Name in "expectedTools" | "expectedVersion" | "packageDigest"]?: PlainSettings[Name] | undefined;
};

type Answered = { serverInfo: { version: string } | null; tools: readonly { name: string }[] };

const maxNamesTold = 10;

/** Returns why a connected server is not the expected one: another version, or missing or extra tools. Null when it is. */
export function findUnexpected(
  { expectedTools = null, expectedVersion = null }: Expectations,
  { serverInfo, tools }: Answered,
): string | null {
  if (expectedVersion !== null && serverInfo?.version !== expectedVersion) {
    const reported = serverInfo ? `reports the version ${cleanLine(serverInfo.version, 100)}` : "reports no version";
    return `The server ${reported}, and its settings expect ${expectedVersion}. Check the server, then change the expected version.`;
  }
  if (expectedTools === null) return null;
  const listed = new Set(tools.map(({ name }) => name));
  const expected = new Set(expectedTools);
  const missing = expectedTools.filter((name) => !listed.has(name));
  const extra = [...listed].filter((name) => !expected.has(name));
  if (missing.length + extra.length === 0) return null;
  const sentences = [
    ...(missing.length > 0 ? [`Missing: ${named(missing)}.`] : []),
    ...(extra.length > 0 ? [`Not expected: ${named(extra)}.`] : []),
  ];
  return `The server does not list the expected tools. ${sentences.join(" ")} Check the server, then change the expected tools.`;
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, maxNamesTold).map((name) => cleanLine(name, 100));
  return names.length > shown.length ? `${shown.join(", ")} and ${names.length - shown.length} more` : shown.join(", ");
}

type Program = { command: string | null; args: readonly string[]; cwd: string | null } & Pick<Expectations, "packageDigest">;

/**
 * Compares the file that a program runs with the expected digest: the first argument that is a file, or else the command.
 * @throws AppError `conflict` with both digests, or for a program that only fetches the package that runs
 */
export async function assertDigest({ command, args, cwd, packageDigest = null }: Program): Promise<void> {
  if (packageDigest === null || !command) return;
  const fault = digestFault(command, args);
  if (fault) throw new AppError("conflict", `The digest in the server's settings pins nothing: it ${fault}.`);
  const scripts = args.filter((arg) => !arg.startsWith("-")).map((arg) => path.resolve(cwd ?? "/", arg));
  const onPath = command.includes("/")
    ? [command]
    : (process.env.PATH ?? "").split(path.delimiter).map((folder) => path.join(folder, command));
  for (const file of [...scripts, ...onPath]) {
    const isFile = await stat(file).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (!isFile) continue;
    const digest = `sha256:${await digestOf(file)}`;
    if (digest === packageDigest) return;
    throw new AppError(
      "conflict",
      `The file ${file} has the digest ${digest}, and the server's settings expect ${packageDigest}. Check the file, then change the digest.`,
    );
  }
  throw new AppError("conflict", `The server's settings expect ${packageDigest}, and neither ${command} nor an argument is a file.`);
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file)) hash.update(piece);
  return hash.digest("hex");
}
