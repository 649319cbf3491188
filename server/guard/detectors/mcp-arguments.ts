import path from "node:path";
import type { Json } from "@/contracts/common";
import { findArgumentRole } from "../call/argument-roles";
import { excerpt } from "../excerpt";
import { maxPathChars } from "../paths/followed-path";
import { isPathName } from "../paths/path-name";
import type { Detector, DetectorMatch } from "./detector";

const isForeign: Detector["appliesTo"] = ({ source }) => source !== "builtin";

/** Words in the names of tools that pass their arguments to programs. */
const runsPrograms =
  /(?:^|[^a-z])(?:run|exec|execute|spawn|process|shell|bash|cmd|command|terminal|git|docker|kubectl|helm|ssh|npm|npx|yarn|pip|make|build|deploy|ffmpeg|convert|terraform|ansible|ping|nmap|curl)(?:[^a-z]|$)/;
/** Names of arguments that hold prose or code, in which shell characters are ordinary. */
const textName =
  /^(?:text|content|contents|body|message|description|title|comment|prompt|query|q|sql|code|script|summary|notes?|markdown|html|regex|pattern|template|new_?(?:str|text)|old_?(?:str|text))$/i;
const injected = /\$\([^)]|\$\{IFS|`[^`\n]+`|(?:;|\|\|?|&&)\s*[\w./-]+|[<>]\(|\n[^\S\n]*[\w./-]+\s+\S|\s>{1,2}\s*\S/;

/** A value that a program would take for an option, such as `--upload-pack=...` in place of a branch. */
const option = /^\s*--?[A-Za-z]/;
/** Names of arguments that hold options, or in which a leading dash means something else. */
const optionName =
  /(?:^|[_-])(?:args?|arguments|argv|flags?|options?|opts|params?|parameters)$|args$|flags$|options$|^(?:sort|order|filter|search)/i;
/** `ext::sh -c id`: git passes the rest to a program. */
const remoteHelper = /^\s*(?:ext|fd)::/i;
const anyHelper = /^\s*[a-z][\w+.-]*::/i;
const remoteName = /(?:^|[_-])(?:ur[il]s?|remotes?|repos?|repository|repositories|origin|upstream|source)$|ur[il]$/i;

/** Explains as a sentence part why an argument may inject a command; null when it does not. */
function whyInjected(name: string, text: string): string | null {
  if (injected.test(text)) return "has signs that a shell acts on";
  if (option.test(text) && !optionName.test(name) && findArgumentRole(name) === undefined) return "begins as an option of a program does";
  const runs = remoteHelper.test(text) || (anyHelper.test(text) && remoteName.test(name));
  return runs ? "names a program that is to fetch it" : null;
}

export const mcpInjection: Detector = {
  id: "mcp.injection",
  title: "Command in an argument",
  severity: "high",
  verdict: "require_approval",
  explanation:
    "A tool that starts programs may hand this argument to a shell, or to a program that takes it for an option, and then something else runs with it.",
  fix: "Send the plain value, without signs that a shell acts on and without a dash before it.",
  relaxable: true,
  appliesTo: (tool) => isForeign(tool) && runsPrograms.test(tool.name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase()),
  find: ({ texts, scripts }) => {
    const commands = new Set(scripts.map(({ text }) => text));
    return texts.flatMap(({ name, text }): DetectorMatch[] => {
      if (text.length > 2_000 || textName.test(name) || commands.has(text)) return [];
      const why = whyInjected(name, text);
      return why === null ? [] : [{ message: `The argument \`${excerpt(name)}\` ${why}: \`${excerpt(text)}\`.`, text }];
    });
  },
};

export const mcpPath: Detector = {
  id: "mcp.path",
  title: "Path outside of a server's folders",
  severity: "high",
  verdict: "require_approval",
  explanation: "A path that climbs, or that begins in a home folder, may lead a server out of the folders that it was given.",
  fix: "Use a path inside the server's folders, without `..` and `~`.",
  relaxable: true,
  appliesTo: isForeign,
  find: ({ texts }) =>
    texts.flatMap(({ name, text }): DetectorMatch[] => {
      const isPath = isPathName(name);
      const isLong = text.length > maxPathChars;
      if (!isPath && (isLong || !/^[^\s]*[/\\][^\s]*$/.test(text))) return [];
      // The tool may shorten a long path before opening it.
      const why = isLong ? "is longer than any path" : whyOutside(text);
      return why === null ? [] : [{ message: `\`${excerpt(text)}\` ${why}.`, text }];
    }),
};

function whyOutside(text: string): string | null {
  if (/^~|^\$\{?HOME\b|^%userprofile%/i.test(text)) return "lies in a home folder";
  if (!/\.\.|%2e|%c0%ae/i.test(text)) return null;
  const plain = path.posix.normalize(
    text
      .replace(/%2e|%c0%ae/gi, ".")
      .replace(/%2f|%5c|\\/gi, "/")
      .replace(/^[a-z][a-z0-9+.-]*:\/\//i, ""),
  );
  const climbs =
    plain.startsWith("../") || plain === ".." || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(text.replace(/%2e/gi, ".").replace(/%2f|%5c/gi, "/"));
  return climbs ? "climbs with `..`" : null;
}

/** The name under which JavaScript objects expose their prototype (CWE-1321). */
const prototypeKey = "__proto__";

export const mcpPrototype: Detector = {
  id: "mcp.prototype",
  title: "Name of a prototype",
  severity: "high",
  verdict: "deny",
  explanation: "In many programs a member with such a name changes every object, and with it what the program does.",
  fix: "Send the value under another name.",
  relaxable: false,
  appliesTo: isForeign,
  find: ({ arguments: args }) => {
    const name = prototypeNameIn(args);
    return name === null ? [] : [{ message: `An argument has the member \`${name}\`.`, text: name }];
  },
};

function prototypeNameIn(value: Json): string | null {
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === null || typeof next !== "object") continue;
    for (const [name, member] of Object.entries(next)) {
      if (name === prototypeKey) return name;
      const holdsPrototype = name === "constructor" && member !== null && typeof member === "object" && Object.hasOwn(member, "prototype");
      if (holdsPrototype) return "constructor.prototype";
      open.push(member);
    }
  }
  return null;
}
