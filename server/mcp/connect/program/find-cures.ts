import "server-only";
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { outputSentence } from "@/contracts/lib/output-sentence";
import type { McpCure } from "@/contracts/mcp/mcp-servers";
import { canonicalHost, coversHost, type GrantedHost, parseGrantedHost } from "@/server/capabilities/sandbox/network/granted-hosts";
import { isWithin, ownPaths } from "@/server/capabilities/sandbox/protected-paths";
import { isMetadata } from "@/server/guard/hosts/host-risks";
import { openingOf } from "./keep-cures";
import { isSystemPath } from "./opened-paths";
import { isTooWide } from "./package-around";
import { holdsSecrets } from "./secret-files";

type Program = {
  /** HOME of the program in the sandbox. */
  home: string;
  /** Paths of the machine that the program sees. */
  visible: readonly string[];
  allowedHosts: readonly string[];
  command: string;
  /** Arguments and variables (`NAME=value`) of the program, which may name a path or a host's port. */
  settings: readonly string[];
};

const maxCures = 4;
const maxLines = 400;
const maxLineCharacters = 1_000;

/** Words of programs about a file that is missing or may not be read. */
const missingFile =
  /ENOENT|EACCES|EPERM|no such file|cannot find (?:module|package)|file ?not ?found|does not exist|permission denied|can(?:no|')t open|unable to (?:open|read|load)|MODULE_NOT_FOUND|is the docker daemon running/i;
/** An absolute path, in quotes also with spaces. */
const paths = /'(\/[^'\n]{1,400})'|"(\/[^"\n]{1,400})"|(?:^|[\s(=:[])(?:unix:\/\/)?(\/[^\s'"`,;:()[\]]{1,400})/g;

/** Words of programs about a port that did not answer: Node, Go, Python, libpq, MySQL, Redis, Handrail's own proxy. */
const refusedPorts: readonly RegExp[] = [
  /ECONNREFUSED (\S+):(\d{1,5})/g,
  /dial tcp (\S+?):(\d{1,5}): (?:connect|i\/o)/g,
  /connection to server at "([^"]+)"(?: \([^)]*\))?, port (\d{1,5}) failed/g,
  /connecting to (\S+?):(\d{1,5})/gi,
  /connect to \S+ (?:server )?on '([^':]+):(\d{1,5})'/gi,
  /"?([\w.-]+|\[[0-9a-f:]+\]):(\d{1,5})"? is not among the hosts/g,
  /must list exactly (\S+?):(\d{1,5}) before/g,
];

/** Words of programs about a connection that failed, without saying to where. */
const failedConnection =
  /ECONNREFUSED|connection refused|connection (?:error|failed|lost)|client error|(?:could not|failed to|unable to|can(?:no|')t) connect|max(?:imum)? retries|fetch failed/i;
/** Addresses of this machine and of private networks, with a port, in an argument or a variable. */
const namedPlace =
  /(?<![\w.-])(localhost|127\.\d+\.\d+\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|\[::1\]):(\d{1,5})(?!\d)/gi;

/** Words of programs about a name that is unknown in the sandbox: Node, Go, Python, libpq. */
const unknownHost =
  /(?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)|lookup ([\w.-]+)(?: on \S+)?: (?:no such host|server misbehaving)|could not translate host name "([^"]+)"/g;

/** `of`: commands that read the files. `isGuess`: counts only where the program's words name no other cause. */
type HomeFiles = { words: RegExp; files: readonly string[]; of?: RegExp; isGuess?: true };

/** Settings in a home that programs read without naming them, by the words of their failure. */
const homeFiles: readonly HomeFiles[] = [
  { words: /npm (?:error|ERR!) (?:code )?(?:E401|ENEEDAUTH)/, files: [".npmrc"] },
  // A registry that does not answer, or that the sandbox keeps away, fails in the same words.
  { words: /npm (?:error|ERR!) (?:code )?E40[34]/, files: [".npmrc"], isGuess: true },
  {
    words: /(?:401|403) (?:Client Error|Unauthorized|Forbidden)|No solution found when resolving/,
    files: [".config/uv/uv.toml", ".config/pip/pip.conf", ".netrc"],
    of: /\b(?:uvx?|pipx?|pip3|python[\d.]*)\b/,
    isGuess: true,
  },
  { words: /server localhost:8080 was refused|kubeconfig|no configuration has been provided/i, files: [".kube/config"] },
  // The keys of a whole cloud are offered to a program only whose settings say that it works there.
  { words: /Unable to locate credentials|Could not load credentials|NoCredentialProviders/, files: [".aws"], of: /aws/i },
  {
    words: /default credentials|gcloud auth/i,
    files: [".config/gcloud"],
    of: /g(?:oogle|cloud|cp)|bigquery|firebase|firestore|vertex|spanner/i,
  },
];

/**
 * Finds what the sandbox keeps from a stdio server's program, in its own words about its failure.
 * @param text the last lines of its error stream, or the text of a failed call
 */
export function findCures(text: string, program: Program): McpCure[] {
  const lines = text
    .split("\n")
    .slice(-maxLines)
    .map((line) => line.slice(0, maxLineCharacters));
  const named = lines.flatMap((line) => [...fileCures(line, program), ...portCures(line, program)]);
  const said = [...named, ...homeCures(lines, program, { guesses: named.length === 0 })];
  const found = said.length === 0 && lines.some((line) => failedConnection.test(line)) ? namedCures(program) : said;
  return [...new Map(found.map((cure) => [openingOf(cure), cure])).values()].slice(0, maxCures);
}

function fileCures(line: string, program: Program): McpCure[] {
  if (!missingFile.test(line)) return [];
  return [...line.matchAll(paths)].flatMap(([, quoted, doubly, bare]) => {
    const named = path.normalize(quoted ?? doubly ?? bare ?? "");
    // The program sees its own HOME, such as the packages that npx fetched.
    if (isWithin(named, program.home) && existsSync(named)) return [];
    // The program's HOME stands for the user's, whose settings it looks for.
    const file = isWithin(named, program.home) ? path.join(homedir(), path.relative(program.home, named)) : named;
    return cureOf(file, program).flatMap((cure) => {
      if (cure.kind !== "read" || isNamed(file, program)) return [cure];
      // A program could print any path to have a person allow it.
      return holdsSecrets(file) ? [] : [{ ...cure, namedBy: "output" as const }];
    });
  });
}

/** Returns whether the program's command, arguments or variables name a path or a folder around it: `--config=~/x`. */
function isNamed(file: string, { command, settings }: Program): boolean {
  return [command, ...settings]
    .flatMap((text) => [text.replace(/^\w+=/, ""), ...text.split(/[\s=,:;'"()[\]{}]+/)])
    .filter((word) => /^~?\/./.test(word))
    .map((word) => path.normalize(word.replace(/^~/, homedir())).replace(/\/$/, ""))
    .some((named) => isWithin(file, named) && !isTooWide(named));
}

/** Returns the cure for a file of the machine that the sandbox hides; none for what is not there, and for Handrail's own. */
function cureOf(file: string, { visible }: Program): McpCure[] {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats || ownPaths().some((own) => isWithin(file, own) || isWithin(own, file))) return [];
  // A socket gives what its server can do, which no folder that is only read takes away.
  if (stats.isSocket()) return [{ kind: "outside" }];
  if (file === homedir() || (isSystemPath(file) && !file.startsWith("/tmp/"))) return [];
  if (visible.some((opened) => isWithin(file, opened))) return [];
  return [{ kind: "read", path: isWithin(file, homedir()) ? `~/${path.relative(homedir(), file)}` : file }];
}

function portCures(line: string, { allowedHosts, settings }: Program): McpCure[] {
  const granted = allowedHosts.flatMap((entry) => parseGrantedHost(entry) ?? []);
  const refused = refusedPorts.flatMap((words) =>
    [...line.matchAll(words)].map(([, name = "", digits = ""]) => [name, Number(digits)] as const),
  );
  // The failure of a name has no port, so the one in the settings counts.
  const unknown = [...line.matchAll(unknownHost)].flatMap(([, node, go, libpq]) => {
    const name = node ?? go ?? libpq ?? "";
    const ports = settings.flatMap((text) =>
      text
        .split(`${name}:`)
        .slice(1)
        .map((rest) => Number.parseInt(rest, 10)),
    );
    return ports.filter(Number.isInteger).map((port) => [name, port] as const);
  });
  return [...refused, ...unknown].flatMap(([name, port]) => reachOf(name, port, granted));
}

/** Returns the cures for places that the settings name, which the program could not reach either. */
function namedCures({ allowedHosts, settings }: Program): McpCure[] {
  const granted = allowedHosts.flatMap((entry) => parseGrantedHost(entry) ?? []);
  return settings.flatMap((text) =>
    [...text.matchAll(namedPlace)].flatMap(([, name = "", digits = ""]) => reachOf(name.replaceAll(/[[\]]/g, ""), Number(digits), granted)),
  );
}

function reachOf(name: string, port: number, granted: readonly GrantedHost[]): McpCure[] {
  const host = name === "::1" ? "localhost" : canonicalHost(name);
  // The metadata service of a cloud is out of reach whatever is granted.
  if (!host || isMetadata(host) || port < 1 || port > 65_535 || coversHost(granted, host, port)) return [];
  return [{ kind: "reach", host: `${host === "127.0.0.1" ? "localhost" : host}:${port}` }];
}

function homeCures(lines: readonly string[], program: Program, { guesses }: { guesses: boolean }): McpCure[] {
  const started = [program.command, ...program.settings].join(" ");
  return homeFiles
    .filter(({ isGuess, of }) => (guesses || !isGuess) && (of?.test(started) ?? true))
    .filter(({ words }) => lines.some((line) => words.test(line)))
    .flatMap(({ files }) => files.flatMap((file) => cureOf(path.join(homedir(), file), program)));
}

/** Says what the sandbox keeps from the program. @returns an empty text without cures */
export function cureSentence(cures: readonly McpCure[]): string {
  const parts = cures.map((cure) => {
    if (cure.kind === "read") return `does not show it ${cure.path}`;
    if (cure.kind === "reach") return `does not let it reach ${cure.host}`;
    return "keeps the sockets of this machine's services from it";
  });
  if (parts.length === 0) return "";
  const told = cures.flatMap((cure) => (cure.kind === "read" && cure.namedBy === "output" ? [cure.path] : []));
  const source = told.length === 0 ? "" : ` ${outputSentence(told)}`;
  return `The sandbox ${parts.join(", and ")}. An admin can allow that in the server's settings.${source}`;
}
