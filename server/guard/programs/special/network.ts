import { findOptionValues, isGiven } from "../given-options";
import { connects, type EffectSink, type FixedEffect, remoteCommand, runsAnother, runsUnknown, uploads } from "../program";
import { joined } from "./xargs-and-parallel";

export const reverseShell: FixedEffect = { ...runsUnknown, note: "shell.reverse_shell", says: "hands a program to another machine" };

/** Adds the server and the requested names of `dig @server name TYPE +short`. */
export function asksNames({ parsed, role }: EffectSink): void {
  for (const word of parsed.operands) {
    if (/^\+|^(?:A|AAAA|ANY|AXFR|CAA|CNAME|DNSKEY|DS|HTTPS|IN|CH|MX|NAPTR|NS|PTR|SOA|SRV|TLSA|TXT)$/i.test(word.value)) continue;
    role("host", word.value.startsWith("@") ? { ...word, value: word.value.slice(1) } : word);
  }
}

/** Adds the effects of OpenSSH options that name a program, a file of options, or another host. */
export function readsSshOptions({ parsed, role, does }: EffectSink): void {
  for (const value of findOptionValues(parsed, "-o")) {
    const [, name = "", given = ""] = /^\s*(\w+)[\s=]+(.*)$/.exec(value.value) ?? [];
    const wanted = name.toLowerCase();
    if (
      /^(?:strict|user|port|batchmode|connect|server|loglevel|control(?:master|persist)|identitiesonly|preferred|pubkey|password|kbd|number|compression|tcp|add|check|hostkey|ciphers|macs|kex|request|forwardagent|forwardx|exit|gssapi|update|visual|address|escape|ip|log)/.test(
        wanted,
      )
    )
      continue;
    if (/^(?:hostname|proxyjump)$/.test(wanted)) role("host", { ...value, value: given });
    else if (/^(?:identityfile|userknownhostsfile|globalknownhostsfile|certificatefile|controlpath)$/.test(wanted))
      role("reads", { ...value, value: given });
    else does(runsAnother, value);
  }
  for (const value of findOptionValues(parsed, "-J")) for (const hop of value.value.split(",")) role("host", { ...value, value: hop });
}

export function runsRemotely(act: EffectSink): void {
  readsSshOptions(act);
  const [, ...words] = act.parsed.operands;
  if (words.length > 0 || isGiven(act.parsed, "-R -L -D -W")) act.does(remoteCommand);
  if (words.length > 0) act.elsewhere(joined(words).value);
  // Words behind the host run on the other machine.
  act.run = () => {};
}

export function copiesRemotely(act: EffectSink): void {
  readsSshOptions(act);
  const target = act.parsed.operands.at(-1);
  if (target && /^[^/:]+:/.test(target.value) && act.parsed.operands.length > 1) act.does(uploads, target);
}

export function pipesNetwork({ parsed, role, command }: EffectSink): void {
  const [name] = command.words;
  const [host] = parsed.operands;
  if (host && !isGiven(parsed, "-l --listen -U --unixsock")) role("host", host);
  if (isGiven(parsed, "-l --listen") && name) role("host", { ...name, value: "localhost" });
  if (host && isGiven(parsed, "-U --unixsock")) role("changes", host);
}

/** Adds the effects of `socat ADDRESS ADDRESS`; an address is `type:parameters,options`. */
export function joinsAddresses({ parsed, role, does }: EffectSink): void {
  for (const word of parsed.operands) {
    const type = word.value.replace(/[^\w-].*$/s, "");
    const value = word.value.slice(type.length + 1).replace(/,.*$/s, "");
    const of = (part: string) => ({ ...word, value: part });
    if (/^(?:exec|system|shell)$/i.test(type)) does(reverseShell, word);
    else if (word.certainty === "unknown") does(runsUnknown, word);
    else if (/^\.{0,2}\//.test(word.value)) role("changes", word);
    else if (/listen$/i.test(type)) role("host", of("localhost"));
    else if (/^(?:-|stdio|std(?:in|out|err)|pty|pipe|fd|readline)?$|^\d+$/i.test(type)) continue;
    else if (/^(?:file|g?open|create|unix(?:-(?:connect|client|sendto))?|abstract.*)$/i.test(type)) role("changes", of(value));
    else if (type && value) role("host", of(value.replace(/^(\[[^\]]*\]|[^:]*)(:\d+)?.*$/s, "$1$2")));
    else does(connects, word);
  }
}

/** Adds the request of `http POST url field=value file@path`. */
export function asksHttp({ parsed, role, does }: EffectSink): void {
  const { operands } = parsed;
  const [first] = operands;
  const isMethod = first !== undefined && /^[A-Z]+$/.test(first.value);
  const url = operands[isMethod ? 1 : 0];
  const items = operands.slice(isMethod ? 2 : 1);
  const sends = isMethod ? !/^(?:GET|HEAD|OPTIONS)$/.test(first.value) : items.some(({ value }) => /^[^:=@]*(?:=(?!=)|:=|@)/.test(value));
  if (url) role(sends || isGiven(parsed, "--raw") ? "url_send" : "url", url);
  for (const item of items) {
    const [, file] = /^[^:=@]*(?:@|:@|==?@|:=@)(.+)$/s.exec(item.value) ?? [];
    if (file === undefined) continue;
    role("reads", { ...item, value: file });
    does(uploads, item);
  }
  if (isGiven(parsed, "-d --download") && !isGiven(parsed, "-o --output") && url)
    role("writes", { ...url, value: ".", certainty: "literal" });
}

/** Reads the files in options for passwords: `-passin file:secret`. */
export function readsPasswords({ parsed, role }: EffectSink): void {
  for (const value of findOptionValues(parsed, "-passin -passout -pass")) {
    if (value.value.startsWith("file:")) role("reads", { ...value, value: value.value.slice(5) });
  }
}
