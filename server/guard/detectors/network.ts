import type { CallOnTrial } from "../call-on-trial";
import { excerpt } from "../excerpt";
import { rememberLatest } from "../remember-latest";
import { valuesOf } from "../shell/inner-commands";
import type { Detector, Sighting } from "./detector";
import {
  connecting,
  hostOf,
  isMetadata,
  looksLikeHost,
  maxUrlChars,
  type Trouble,
  type TroubleKind,
  troublesOfHost,
} from "./host-troubles";

const explanation =
  "Addresses inside a network are trusted by what runs there. A call that reaches them from here reaches what nobody outside may see.";
/** Our own tools for files reach no network. */
const appliesTo: Detector["appliesTo"] = ({ source, needs }) => source !== "builtin" || needs.includes("http") || needs.includes("shell");
const none: readonly Trouble[] = [];
const troublesIn = rememberLatest(findTroubles);
const mayFind = (call: CallOnTrial) => troublesIn(call).length > 0;
const common = { explanation, severity: "high", verdict: "require_approval", relaxable: true, appliesTo, mayFind } as const;

function detector(kind: TroubleKind, described: Pick<Detector, "title" | "fix"> & Partial<Detector>): Detector {
  const find = (call: CallOnTrial): readonly Sighting[] =>
    troublesIn(call)
      .filter((trouble) => trouble.kind === kind)
      .map(({ say, text }, index) => ({ message: index === 0 ? say() : "", text }));
  return { ...common, id: `network.${kind}`, ...described, find };
}

export const networkDetectors: readonly Detector[] = [
  detector("metadata", {
    title: "Cloud metadata",
    fix: "Ask for what you need of the machine in another way.",
    severity: "critical",
    verdict: "deny",
    explanation: "The metadata address of a cloud hands out the machine's own credentials to whoever asks from inside.",
  }),
  detector("private", { title: "Private address", fix: "Use an address of the public internet." }),
  detector("rebinding", {
    title: "Name of a private address",
    fix: "Use a name that belongs to the service itself.",
    explanation: "Names like this one lead to any address that is written into them, private ones too.",
  }),
  detector("scheme", {
    title: "Other kind of URL",
    fix: "Use an http or https URL.",
    explanation: "URLs of other kinds read files of the machine, or speak to services that are not made for strangers.",
  }),
  detector("userinfo", {
    title: "Misleading URL",
    fix: "Write the URL without a name before the host.",
    severity: "medium",
    explanation: "What stands before an @ looks like the host, and is only a user name: the call goes somewhere else.",
  }),
];

const otherScheme =
  /^(?:file|gopher|dict|ftp|ftps|tftp|sftp|scp|ldap|ldaps|smb|jar|netdoc|php|phar|expect|data|view-source|imap|pop3|rtsp|telnet|unix|nfs|rsync)$/;

/** The last part of an argument's name, in small letters and with `_` between its words: `target_host`, `hosts`. */
const hostName =
  /(?:^|_)(?:hosts?|host_?names?|addr(?:ess(?:es)?|s)?|ips?|servers?|name_?servers?|domains?|endpoints?|gateways?|prox(?:y|ies)|remotes?|base_?urls?)$/;
const noHostName = /mail/;
/** With slashes, or without any, where readers of URLs put them in; `http:80` is a name and its port. */
const urlInText = /\b(?:([a-z][a-z0-9+.-]{1,20}):[/\\]{1,6}|(https?|wss?|ftp):(?!0*[1-9]\d{0,4}(?![\w.])))([^\s"'`<>|;)]{1,2048})/gi;
const mayHoldUrl = /:[/\\]|\b(?:https?|wss?|ftp):\S/i;
/** Signs that readers of URLs leave out, wherever they stand. */
const leftOut = /[\t\r\n]/g;
/** Commands for which a URL is a text to look for or to print. */
const onlyLooks = /^(?:echo|printf|[efzr]?grep|rg|ag|sed|[gmn]?awk|find|cat|head|tail|less)$/;

const maxUrls = 100;
const maxHosts = 300;

function findTroubles(call: CallOnTrial): readonly Trouble[] {
  let found: Trouble[] | null = null;
  const note = (troubles: readonly Trouble[]) => {
    if (troubles.length === 0) return;
    found ??= [];
    found.push(...troubles);
  };
  let hosts = 0;
  const reaches = call.tool.needs.includes("http") || call.scripts.length > 0;
  for (const { name, text } of call.texts) {
    if (call.shell && name === call.tool.primaryArgument && !call.shell.script.unreadable) continue;
    const isUrl = isUrlArgument(name, text, call);
    const plain = isUrl ? text.replace(leftOut, "") : text;
    if (mayHoldUrl.test(plain)) {
      // A text that only mentions an address is no connection; the metadata service is worth a question all the same.
      const isMeant = reaches || isUrl || !/\s/.test(text.trim());
      note(troublesInText(plain).filter(({ kind }) => isMeant || kind === "metadata"));
    }
    if (!isHostArgument(name, text, call) && !isMetadata(text)) continue;
    hosts += 1;
    if (hosts <= maxHosts || isMetadata(text)) note(troublesOfHost(hostOf(text), text));
  }
  if (hosts > maxHosts) note([{ kind: "private", say: () => `The call names more than ${maxHosts} hosts.`, text: "" }]);
  for (const { running } of call.scripts) {
    for (const { commands } of running) {
      for (const { name, words } of commands) {
        if (onlyLooks.test(name)) continue;
        if (name === "curl") note(troublesOfDetours(words.slice(1)));
        for (const word of words.slice(1)) {
          if (mayHoldUrl.test(word)) note(troublesInText(word));
          // A URL may stand behind the host, in what is asked of it.
          if (connecting.has(name) && looksLikeHost(word)) note(troublesOfHost(hostOf(word), word));
        }
      }
    }
  }
  return found ?? none;
}

/** Options of curl that say where to connect to, whatever host the URL has. */
const detours = ["--resolve", "--connect-to", "-x", "--proxy", "--preproxy", "--socks4", "--socks4a", "--socks5", "--socks5-hostname"];

const maxPort = 65_535;

/** `--resolve example.com:80:10.0.0.1`, `-x10.0.0.1:3128`: each host in the values of such options. */
function troublesOfDetours(args: readonly string[]): Trouble[] {
  return valuesOf(args, detours).flatMap((value) => {
    const pieces = [...value.slice(0, maxUrlChars).matchAll(/\[([^\]]*)\]|([^\s:,@/[\]]+)/g)].map(([, bare, plain]) => bare ?? plain ?? "");
    return pieces.filter((piece) => !(Number(piece) <= maxPort)).flatMap((piece) => troublesOfHost(piece, value));
  });
}

function troublesInText(text: string): Trouble[] {
  const found: Trouble[] = [];
  const seen = new Set<string>();
  let urls = 0;
  for (const [url, withSlashes, without, rest = ""] of text.matchAll(urlInText)) {
    const scheme = withSlashes ?? without ?? "";
    urls += 1;
    if (urls > maxUrls) return [...found, { kind: "private", say: () => `An argument has more than ${maxUrls} URLs.`, text: "" }];
    if (seen.has(url)) continue;
    seen.add(url);
    found.push(...troublesOfUrl(scheme.toLowerCase(), rest, url));
  }
  return found;
}

/** Whether an argument is a URL and nothing else, though it may be broken over lines. */
function isUrlArgument(name: string, text: string, { tool }: CallOnTrial): boolean {
  return (
    text.length <= maxUrlChars &&
    /[\t\r\n]/.test(text) &&
    (tool.needs.includes("http") || /ur[il]s?$/i.test(name)) &&
    !/ /.test(text.trim())
  );
}

function isHostArgument(name: string, text: string, { tool }: CallOnTrial): boolean {
  return isHostName(name) || ((tool.needs.includes("http") || /^ur[il]$/i.test(name)) && looksLikeHost(text));
}

/** Names of arguments are few, and each is asked about again and again. */
const knownNames = new Map<string, boolean>();
const maxKnownNames = 1_000;
const maxNameChars = 40;
const mayBeHostName = /host|addr|ip|server|domain|endpoint|gateway|prox|remote|url/i;

function isHostName(name: string): boolean {
  if (name.length > maxNameChars || !mayBeHostName.test(name)) return false;
  let known = knownNames.get(name);
  if (known === undefined) {
    const words = name
      .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
      .replace(/[-. ]/g, "_")
      .toLowerCase();
    known = hostName.test(words) && !noHostName.test(words);
    if (knownNames.size >= maxKnownNames) knownNames.clear();
    knownNames.set(name, known);
  }
  return known;
}

function troublesOfUrl(scheme: string, rest: string, url: string): Trouble[] {
  // Where it leads may stand behind what was read of it.
  if (rest.length >= maxUrlChars && !/[/?#]/.test(rest))
    return [{ kind: "private", say: () => "An argument has a URL whose host is too long to be one.", text: url }];
  if (otherScheme.test(scheme)) {
    const say = () => `\`${excerpt(url)}\` is a URL of the kind \`${scheme}:\`.`;
    return [{ kind: "scheme", say, text: url }, ...(scheme === "file" || scheme === "data" ? [] : hostTroubles(rest, url))];
  }
  const found = hostTroubles(rest, url);
  const host = hostOf(rest);
  if (found.length > 0 || !/^(?:https?|wss?)$/.test(scheme) || !shortName.test(host)) return found;
  return [
    { kind: "private", say: () => `\`${excerpt(url)}\` is a name without a domain, which only a network of its own knows.`, text: url },
  ];
}

const shortName = /^[a-z][a-z0-9-]{0,62}$/i;

function hostTroubles(rest: string, url: string): Trouble[] {
  const authority = rest.replace(/[/?#\\].*$/s, "");
  const at = authority.lastIndexOf("@");
  const troubles: Trouble[] = [];
  // A name with a dot before the @ is there to be taken for the host.
  if (at >= 0 && /\./.test(authority.slice(0, at).replace(/:.*$/s, ""))) {
    troubles.push({
      kind: "userinfo",
      say: () => `\`${excerpt(url)}\` leads to \`${excerpt(authority.slice(at + 1))}\`, not to the name before the @.`,
      text: url,
    });
  }
  // Readers differ in what they take for the host when there is a backslash, or more than one @.
  for (const part of new Set([
    ...authority.split("@"),
    rest
      .replace(/[/?#].*$/s, "")
      .split(/[\\@]/)
      .at(-1) ?? "",
  ])) {
    if (part !== "" && (part === authority.slice(at + 1) || authority.split("@").length > 2 || rest.includes("\\")))
      troubles.push(...troublesOfHost(hostOf(part), url));
  }
  return troubles;
}
