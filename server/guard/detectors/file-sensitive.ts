import type { CallOnTrial } from "../call-on-trial";
import { excerpt } from "../excerpt";
import { mayBeSensitive } from "../first-look";
import { globFits, withoutBrackets } from "../matching/glob";
import { followedPath, maxPathChars } from "../shell/followed-path";
import { type Detector, type DetectorSettings, noSightings, type Sighting } from "./detector";
import { isPathName, shellPaths, soughtNames } from "./path-words";

/** Files and folders that hold keys, passwords or the rules of a machine, as people and systems name them. */
const systemFile = /^\/(?:private\/)?etc\/(?:passwd|g?shadow|master\.passwd|sudoers|security|ssh|ssl\/private|krb5\.keytab)(?:[-/.].*)?$/;
const processSecret = /^\/proc\/(?:[^/]+\/)*(?:environ|mem|maps|kcore)$/;
const secretFolders = [
  ".ssh",
  ".aws",
  ".gnupg",
  ".kube",
  ".azure",
  ".gcloud",
  ".docker",
  ".password-store",
  "secrets",
  "credentials",
  "private-keys",
];
const secretNames = [
  ".env",
  ".netrc",
  "_netrc",
  ".pgpass",
  ".my.cnf",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".htpasswd",
  ".vault-token",
  "credentials",
  "credentials.json",
  "service-account.json",
  "service_account.json",
  "application_default_credentials.json",
  "authorized_keys",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519",
  "sudoers",
];
/** `.env.local`, `.env.production`; not those that are made to be shared. */
const environmentFile = /^\.env\.(?!(?:example|sample|template|dist|md)$)[\w.-]+$/;
const keyFile = /\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx|asc\.key)$/;
/** Inside a program or a longer text, where nothing says what is a path. */
const mentioned =
  /(?<![\w-])(?:\/etc\/(?:passwd|shadow|sudoers)\b|(?:(?:~|\$HOME|[\w-]{1,40})\/)?\.(?:ssh|aws|gnupg)\/[\w.*?-]*|authorized_keys\b|\/proc\/(?:self|\d{1,9})\/environ\b|id_(?:rsa|ed25519|ecdsa)\b|\.env(?:\.(?:local|production))?(?![\w.-]))/;

export const fileSensitive: Detector = {
  id: "file.sensitive",
  title: "Sensitive file",
  severity: "high",
  verdict: "require_approval",
  explanation:
    "Files like this one hold keys, passwords or the rules of who may do what. Who reads or changes them can act as somebody else.",
  fix: "Leave the file alone, or work on a copy without the secrets.",
  relaxable: true,
  appliesTo: () => true,
  find: (call, settings) => {
    const found = inArguments(call, settings);
    return call.scripts.length === 0 ? found : [...found, ...inScripts(call, settings)];
  },
};

function inArguments({ texts, shell, tool }: CallOnTrial, settings: DetectorSettings): readonly Sighting[] {
  let found: Sighting[] | null = null;
  for (const { name, text, look } of texts) {
    if (!look.mayBeSensitive && settings.sensitivePaths.isEmpty) continue;
    if (shell && name === tool.primaryArgument) continue;
    const isPath = isPathName(name) || (tool.needs.includes("files") && name === tool.primaryArgument);
    if (text.length > maxPathChars || !(isPath || looksLikePath(text))) continue;
    const why = whySensitive(text, settings);
    if (why === null) continue;
    found ??= [];
    found.push({ message: `\`${excerpt(text)}\` ${why}.`, text });
  }
  return found ?? noSightings;
}

function inScripts(call: CallOnTrial, settings: DetectorSettings): Sighting[] {
  const found: Sighting[] = [];
  for (const { path: written, text, folder } of shellPaths(call)) {
    const why = whySensitive(written, settings) ?? (folder === "./." ? null : whySensitive(followedPath(written, folder), settings));
    if (why) found.push({ message: `\`${excerpt(text)}\` ${why}.`, text });
  }
  if (found.length > 0) return found;
  for (const { running } of call.scripts) {
    for (const { commands } of running) {
      for (const name of commands.flatMap(soughtNames)) {
        const why = whySensitive(name, settings);
        if (why) found.push({ message: `\`${excerpt(name)}\` ${why}, and what is found is opened.`, text: name });
      }
      for (const { words, name } of commands) {
        const text =
          name === "echo" || name === "printf"
            ? undefined
            : words.find((word, index) => index > 0 && /[\s("']/.test(word) && mentioned.test(word));
        if (text !== undefined)
          found.push({ message: `\`${excerpt(mentioned.exec(text)?.[0] ?? text)}\` is named in a program that would run.`, text });
      }
    }
  }
  return found;
}

/** One line that begins like a path and has no blanks: what follows a slash in prose is longer. */
function looksLikePath(text: string): boolean {
  return /^(?:~|\.{0,2}\/|\.[\w-]|[A-Za-z]:[\\/]|file:)[^\n]*$/.test(text);
}

/** Why a path is sensitive, as a sentence part; null when it is not. */
function whySensitive(written: string, { sensitivePaths }: DetectorSettings): string | null {
  if (!mayBeSensitive(written) && sensitivePaths.isEmpty) return null;
  const plain = plainPath(written);
  if (systemFile.test(plain) || processSecret.test(plain))
    return "is a file of the system that says who may do what, or what its programs know";
  const names = plain.split("/").filter((name) => name !== "");
  const folder = names.find((name) => secretFolders.includes(name) || isGlobFor(name, secretFolders));
  if (folder !== undefined && (folder.startsWith(".") || folder !== names.at(-1))) return "lies in a folder of keys and secrets";
  const base = names.at(-1) ?? "";
  if (secretNames.includes(base) || environmentFile.test(base) || isGlobFor(base, secretNames)) return "is a file that holds secrets";
  if (keyFile.test(base)) return "is a file that holds a key";
  const glob = sensitivePaths.fitting(plain);
  return glob === null ? null : `is sensitive here (\`${excerpt(glob)}\`)`;
}

/** In small letters, with one kind of slash, without dots that mean nothing; a URL of a file is that file. */
function plainPath(written: string): string {
  const lower = written.toLowerCase();
  const decoded = lower.startsWith("file:") ? decodedUri(lower.replace(/^file:(?:\/\/(?:localhost)?)?/, "")) : lower;
  return followedPath(decoded.replaceAll("\\", "/")).replace(/\/$/, "");
}

function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a name is a glob that was written with one of these in mind: a few of its letters, and its dot. */
function isGlobFor(name: string, known: readonly string[]): boolean {
  if (!/[*?[]/.test(name) || /^\*+\.\w+$/.test(name)) return false;
  const glob = withoutBrackets(name);
  const letters = glob.replace(/[*?]/g, "").length;
  return known.some(
    (target) => letters >= (target.startsWith(".") ? 1 : 3) && target.startsWith(".") === glob.startsWith(".") && globFits(glob, target),
  );
}
