import { isShell } from "../../shell/inner-commands";
import type { RunningCommand, RunningScript } from "../../shell/running-commands";

const downloaders = new Set(
  "curl wget wget2 fetch aria2c http https xh httpie lynx links elinks w3m nc ncat netcat socat ftp lwp-download lwp-request GET axel scp telnet openssl gsutil aws kubectl finger whois dig nslookup".split(
    " ",
  ),
);
/** Of these, only some uses fetch anything. */
const fetches: Record<string, RegExp> = {
  openssl: /\bs_client\b/,
  aws: /\bs3 cp\b/,
  gsutil: /\b(cp|cat)\b/,
  kubectl: /\bexec\b/,
  scp: /:/,
};
const decoders =
  /^(base64|base32|basenc|base58|uudecode|xxd|od|hexdump|openssl|rev|tr|gunzip|zcat|gzip|bzcat|xzcat|bunzip2|unxz|zstdcat|sed|awk|perl|python[\d.]*|printf|iconv|gpg|strings|dd|tail|head|cut|fold|jq|gzexe|uncompress|ascii85|basez)$/;

/** Whether a command runs text as a shell does. */
export const runsText = (name: string): boolean => isShell(name) || name === "eval" || name === "source" || name === ".";

export const isDownload = ({ name, words }: RunningCommand): boolean => {
  if (!downloaders.has(name)) return false;
  const pattern = Object.hasOwn(fetches, name) ? fetches[name] : undefined;
  return !pattern || pattern.test(words.join(" "));
};

function decodes(name: string, words: readonly string[]): boolean {
  const text = words.slice(1).join(" ");
  if (/^(base64|base32|basenc|base58)$/.test(name)) return /(^|\s)(-\w*[dD]|--d)/.test(text);
  if (name === "xxd") return /(^|\s)-\w*r/.test(text);
  if (name === "openssl") return /\benc\b|base64/.test(text);
  if (name === "gzip") return /(^|\s)-\w*d/.test(text);
  return name !== "printf" || /\\/.test(text);
}

export type SourceKind = "download" | "decoder" | "other";

function kindOf(command: RunningCommand): SourceKind | null {
  const { name, words } = command;
  if (isDownload(command)) return "download";
  if (decoders.test(name) && decodes(name, words)) return "decoder";
  return name === "echo" || name === "printf" || runsText(name) || name === "" ? null : "other";
}

/** Which kinds of commands write what another one runs: counted once, so that each question costs the same. */
export function countSources({ script, commands }: RunningScript) {
  const total = script.commands.length;
  const before: Record<SourceKind, Uint32Array> = {
    download: new Uint32Array(total + 1),
    decoder: new Uint32Array(total + 1),
    other: new Uint32Array(total + 1),
  };
  for (const command of commands) {
    const kind = kindOf(command);
    const at = command.within.index + 1;
    if (kind) before[kind][at] = (before[kind][at] ?? 0) + 1;
  }
  for (const counts of Object.values(before)) for (let at = 1; at <= total; at += 1) counts[at] = (counts[at] ?? 0) + (counts[at - 1] ?? 0);
  // Commands in substitutions come right after the command in whose words they stand.
  const lastInside = script.commands.map(({ index }) => index);
  for (const { index, inside } of script.commands.toReversed()) {
    if (inside !== null) lastInside[inside] = Math.max(lastInside[inside] ?? 0, lastInside[index] ?? 0);
  }
  const isBetween = (kind: SourceKind, start: number, end: number) => (before[kind][end] ?? 0) > (before[kind][start] ?? 0);
  return {
    /** Whether a command of that kind stands in the words of a command, or before it in its pipe when it reads that. */
    amongSources({ within: { index, pipedFrom } }: RunningCommand, kind: SourceKind, readsInput: boolean): boolean {
      if (isBetween(kind, index + 1, (lastInside[index] ?? index) + 1)) return true;
      return readsInput && pipedFrom !== null && isBetween(kind, pipedFrom.start, pipedFrom.end);
    },
  };
}
