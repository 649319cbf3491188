import path from "node:path";
import type { CallOnTrial } from "../call-on-trial";
import { excerpt } from "../excerpt";
import { mayLeadOut } from "../first-look";
import { globFits, withoutBrackets } from "../matching/glob";
import { followedPath, maxPathChars } from "../shell/followed-path";
import { homeFolder, unknownValue } from "../shell/resolve-word";
import type { RunningCommand } from "../shell/running-commands";
import { type Detector, noSightings, type Sighting } from "./detector";
import { isPathName, type PathWord, programPaths, shellPaths } from "./path-words";

/** Nodes that hold nothing and lead nowhere. */
const harmlessNode = /^\/dev\/(?:null|zero|stdin|stdout|stderr|random|urandom|tty|fd\/\d+)$/;
const programFolder = /^(?:\/usr|\/usr\/local|\/opt\/homebrew)?\/s?bin\/[\w.+-]+$/;
const installed = /^\/(?:usr|s?bin|opt|nix|snap|lib\d*)\//;
/** Variables that say where things lie outside the workspace, or who is at home there. PWD is put in its place instead. */
const tellingVariable = /\$(?:\{[!#]?)?(HOME|USER|LOGNAME|TMPDIR|TMP|TEMP|OLDPWD|PATH|MAIL)\b/;
/** `$(dirname "$PWD")`, whatever it is written with. */
const folderAbove = /\bdirname\b[\s"'-]{1,8}(?:\$\{?PWD\b|\$\(\s{0,3}pwd|`\s{0,3}pwd)/;
const deleters = new Set(["rm", "grm", "rmdir", "shred", "srm", "rimraf", "unlink"]);

export const workspaceEscape: Detector = {
  id: "workspace.escape",
  title: "Outside the workspace",
  severity: "critical",
  verdict: "deny",
  explanation:
    "A conversation works in a folder of its own. What lies outside belongs to others: the machine, the people who use it, other conversations.",
  fix: "Use a path inside the folder, relative to it.",
  relaxable: true,
  appliesTo: ({ source, needs }) => source !== "builtin" || needs.includes("files") || needs.includes("shell"),
  find: (call) => {
    const ofArguments = call.tool.needs.includes("files") ? escapesOfArguments(call) : noSightings;
    if (call.scripts.length === 0) return ofArguments;
    const found = [...ofArguments];
    if (call.shell && typeof call.arguments.cwd === "string") {
      const { cwd } = call.arguments;
      found.push(...escapes({ path: cwd, folder: ".", text: cwd, command: null }, call));
    }
    found.push(...shellPaths(call).flatMap((word) => escapes(word, call)));
    // What is installed on the machine is there to be run.
    found.push(...programPaths(call).flatMap((word) => (installed.test(followedPath(word.path)) ? [] : escapes(word, call))));
    return [...found, ...variablesIn(call), ...deletionsOfRoot(call)];
  },
};

function escapesOfArguments({ texts, tool, context }: CallOnTrial): readonly Sighting[] {
  let found: Sighting[] | null = null;
  for (const { name, text, look } of texts) {
    if (!look.mayLeadOut) continue;
    const isPath = isPathName(name);
    if (!isPath && (name !== tool.primaryArgument || text.length > maxPathChars)) continue;
    // Whoever opens it may shorten it first.
    const where = whereItLeads(text, ".", context.folder);
    if (where === null) continue;
    found ??= [];
    found.push(sightingOf(text, where));
  }
  return found ?? noSightings;
}

function sightingOf(text: string, where: string): Sighting {
  return { message: `\`${excerpt(text)}\` ${where}.`, text };
}

function escapes({ path: written, folder, text, command }: PathWord, { context, scripts }: CallOnTrial): Sighting[] {
  if (isProgram(written, command, scripts)) return [];
  const where = whereItLeads(written, folder, context.folder);
  return where === null ? [] : [sightingOf(text, where)];
}

/** The name of a program that another command of the script is, as in `env /usr/bin/make`. */
function isProgram(written: string, command: RunningCommand | null, scripts: CallOnTrial["scripts"]): boolean {
  if (!command || !programFolder.test(written)) return false;
  return scripts.some(({ running }) => running.some(({ commands }) => commands.some(({ words }) => words[0] === written)));
}

/** Why a path leaves the workspace, as a sentence part; null when it stays inside. */
function whereItLeads(written: string, folder: string, root: string | undefined): string | null {
  // Longer than any path, it would also take long to be followed.
  if (written.length > maxPathChars) return "is longer than any path";
  if (!mayLeadOut(written) && !folder.includes("..") && !folder.startsWith("/")) return null;
  if (written.startsWith("~")) return "lies in a home folder";
  if (written.startsWith(homeFolder)) return "lies in a home folder";
  // What is not set is empty: `$FOLDER/etc` is `/etc` then.
  if (written.startsWith(`${unknownValue}/`)) return "begins with a value that is not known, and may lie anywhere";
  if (written.startsWith("/"))
    return isInside(written, root) || harmlessNode.test(path.posix.normalize(written)) ? null : "lies outside the workspace";
  if (folder.startsWith("/")) return isInside(folder, root) ? null : `is looked for in \`${excerpt(folder)}\`, outside the workspace`;
  const full = path.posix.join(folder, written);
  if (full === ".." || full.startsWith("../")) return "leads above the workspace";
  if (
    written.split("/").some((name, index, all) => (index < all.length - 1 || name.startsWith("..")) && dotGlob.test(name) && climbs(name))
  ) {
    return "has a glob that fits `..`";
  }
  return null;
}

function isInside(absolute: string, root: string | undefined): boolean {
  if (root === undefined) return false;
  const full = path.posix.normalize(absolute);
  return full === root || full.startsWith(`${root}/`);
}

/** `.*` at the end of a path is how people say hidden files; `..*` is nearly nothing but the folder above. */
const dotGlob = /^\.{1,2}[*?[]/;

function climbs(name: string): boolean {
  return globFits(withoutBrackets(name), "..");
}

function variablesIn({ scripts }: CallOnTrial): Sighting[] {
  for (const { script } of scripts) {
    for (const { text, node } of script.commands) {
      if (!text.includes("$") || node.name?.value === "echo" || node.name?.value === "printf") continue;
      if (text.includes("dirname") && folderAbove.test(text)) {
        return [{ message: `\`${excerpt(text)}\` names the folder above the workspace.`, text }];
      }
      const name = tellingVariable.exec(withoutSingleQuotes(text))?.[1];
      if (name) return [{ message: `\`${excerpt(text)}\` uses ${name}, which leads outside the workspace.`, text }];
    }
  }
  return [];
}

/** Between single quotes, nothing is put in the place of a variable. */
function withoutSingleQuotes(text: string): string {
  return text.includes('"') ? text : text.replace(/'[^']*'/g, "''");
}

function deletionsOfRoot({ scripts, context: { folder: root } }: CallOnTrial): Sighting[] {
  const commands = scripts.flatMap(({ running }) => running.flatMap((part) => part.commands));
  return commands
    .filter(({ name }) => deleters.has(name))
    .flatMap(({ words, folder }) => {
      const itself = words.slice(1).find((word) => isRoot(word, folder, root));
      const text = words.join(" ");
      return itself === undefined ? [] : [{ message: `\`${excerpt(text)}\` deletes the workspace folder itself.`, text }];
    });
}

function isRoot(word: string, folder: string, root: string | undefined): boolean {
  if (word.length > maxPathChars) return false;
  if (word.startsWith("/")) return path.posix.normalize(`${word}/`) === `${root}/`;
  if (word === "" || word.startsWith("-") || word.includes(unknownValue)) return false;
  const itself = word.replace(/\/(?:\.?\*+)?$/, "") || ".";
  return /^\*+$/.test(word) ? path.posix.normalize(folder) === "." : path.posix.join(folder, itself) === ".";
}
