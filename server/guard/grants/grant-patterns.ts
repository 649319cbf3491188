import type { GrantReach } from "@/contracts/guard/grants";
import { closedPattern, escapePattern } from "@/contracts/lib/open-patterns";
import type { AnalyzedCall } from "../call/analyzed-call";
import { findSubcommands, leafCommands } from "../call/call-shape";
import { anyHost, hostsReached } from "../effects/hosts-reached";
import { wantedOpenings } from "../effects/openings";
import { findProgram } from "../programs/programs";
import type { ResolvedCommand } from "../script/resolved-command";

/** A pattern proposed for a grant, with what its calls may reach and a short label for the calls that it covers. */
export type ProposedPattern = { pattern: string; label: string; reach?: GrantReach };

/**
 * Proposes patterns that cover a call, from narrow to wide: program with subcommand and hosts, then program; a folder, then
 * everything below it; a URL's path, then its host. Empty for calls without such a primary argument.
 */
export function patternsFor(call: AnalyzedCall): ProposedPattern[] {
  if (call.shell) return patternsOfCommands(call.shell);
  const { tool, arguments: args } = call;
  const primary = tool.primaryArgument === null ? undefined : args[tool.primaryArgument];
  const effect = tool.effects?.(args).find(({ argument }) => argument === `/${tool.primaryArgument}`);
  if (typeof primary !== "string" || !effect) return [];
  if (effect.path === primary) return patternsOfPath(primary);
  return effect.url === primary ? patternsOfUrl(primary) : [];
}

type Shell = NonNullable<AnalyzedCall["shell"]>;

/** The first words of a command, the hosts that it reaches, and whether its program alone would say too little. */
type Beginning = { words: string; hosts: string[]; isMachine: boolean };

function patternsOfCommands(shell: Shell): ProposedPattern[] {
  const commands = leafCommands(shell.commands);
  if (commands.length === 0 || commands.some(({ name, runBy }) => name === "" || runBy !== null)) return [];
  const found = commands.map((command) => beginningOf(command, shell));
  const beginnings = found.filter((beginning) => beginning !== null);
  if (beginnings.length < found.length) return [];
  const reach = { hosts: hostsReached(shell.effects), machine: beginnings.some(({ isMachine }) => isMachine) };
  const narrow = patternOf(
    beginnings.map(({ words }) => words),
    beginnings.map(({ words, hosts: reached }) => labelOf(words, reached)),
    reach,
  );
  if (beginnings.some(({ isMachine, hosts: reached }) => isMachine || reached.length > 0)) return [narrow];
  const names = commands.map(({ name }) => name);
  return [
    narrow,
    patternOf(
      names,
      names.map((name) => `${name} …`),
      reach,
    ),
  ];
}

/**
 * Returns the words that a grant for a command must begin with. Null where no words would say enough: a program of the
 * machine, or one that connects to a host that no word names, without its subcommand.
 */
function beginningOf(command: ResolvedCommand, shell: Shell): Beginning | null {
  const { name, within } = command;
  const [called, ...words] = command.words;
  const effects = shell.effects.filter(({ start, end }) => start >= within.start && end <= within.end);
  const hosts = hostsReached(effects);
  const isMachine = wantedOpenings(effects.map((effect) => ({ ...effect, evidence: { argument: "", ...effect } }))).host;
  const subcommands = findSubcommands(name, findProgram(called.value, called.certainty), words);
  // With options before the subcommand, a pattern of both would not match the command.
  const isDirect = words.slice(0, subcommands.length).every(({ value }, index) => value === subcommands[index]);
  const isUnnamed = hosts.includes(anyHost);
  if ((isMachine || isUnnamed) && !(isDirect && subcommands.length > 0)) return null;
  const chosen = isDirect ? [name, ...subcommands] : [name];
  if (isDirect && takesResources(name, subcommands)) {
    const kind = words[subcommands.length];
    if (kind?.certainty !== "literal" || !plainKind.test(kind.value)) return null;
    chosen.push(kind.value);
  }
  if (isUnnamed) {
    // The word decides the host, as the remote of `git push origin` does, so the grant holds for that word.
    const deciding = effects.find(
      ({ kind, target, start }) => /^(?:connect|send)$/.test(kind) && target.host === undefined && start !== called.start,
    );
    const next = words[subcommands.length];
    if (deciding && (next?.start !== deciding.start || next.certainty !== "literal")) return null;
    if (deciding && next) chosen.push(next.value);
  }
  return { words: chosen.join(" "), hosts, isMachine };
}

/** A kind of resource alone: neither an option, nor one resource, nor a list of kinds. */
const plainKind = /^[a-z][a-z0-9.-]*$/;
const ofResources = /^(?:get|describe|delete|edit|patch|label|annotate|scale)$/;

/** Tells whether the word behind the subcommand says what the command is about: who may see pods may not see secrets. */
const takesResources = (name: string, subcommands: readonly string[]): boolean =>
  name === "kubectl" && subcommands.length === 1 && ofResources.test(subcommands[0] ?? "");

function labelOf(words: string, hosts: readonly string[]): string {
  const named = hosts.filter((host) => host !== anyHost);
  return named.length > 0 ? `${words} to ${named.join(" and ")}` : `${words} …`;
}

function patternOf(beginnings: readonly string[], labels: readonly string[], reach: GrantReach): ProposedPattern {
  return { pattern: closedPattern(beginnings, "command"), label: [...new Set(labels)].join(", "), reach };
}

function patternsOfPath(path: string): ProposedPattern[] {
  const folder = path.replace(/[^/]*$/, "");
  const [top] = path.split("/");
  return [
    { pattern: `^${escapePattern(folder)}[^/]+$`, label: `files in ${folder || "the top folder"}` },
    ...(folder ? [{ pattern: `^${escapePattern(folder)}`, label: `everything below ${folder}` }] : []),
    ...(folder && top && `${top}/` !== folder ? [{ pattern: `^${escapePattern(`${top}/`)}`, label: `everything below ${top}/` }] : []),
  ];
}

function patternsOfUrl(text: string): ProposedPattern[] {
  if (!URL.canParse(text)) return [];
  const { origin, host, pathname } = new URL(text);
  const path = pathname.replace(/[^/]*$/, "");
  return [
    ...(path === "/" ? [] : [{ pattern: `^${escapePattern(`${origin}${path}`)}`, label: `${host}${path}…` }]),
    { pattern: `^${escapePattern(`${origin}/`)}`, label: `everything at ${host}` },
  ];
}
