import type { AnalyzedCall } from "../analyzed-call";
import { findSubcommands, leafCommands } from "../call-shape";
import { findProgram } from "../programs/programs";

/** A pattern proposed for a grant, with a short label for the calls that it covers. */
export type ProposedPattern = { pattern: string; label: string };

/**
 * Proposes patterns that cover a call, from narrow to wide: program with subcommand, then program; a folder, then
 * everything below it; a URL's path, then its host. Empty for calls without such a primary argument.
 */
export function patternsFor(call: AnalyzedCall): ProposedPattern[] {
  if (call.shell) return patternsOfCommands(call);
  const { tool, arguments: args } = call;
  const primary = tool.primaryArgument === null ? undefined : args[tool.primaryArgument];
  const effect = tool.effects?.(args).find(({ argument }) => argument === `/${tool.primaryArgument}`);
  if (typeof primary !== "string" || !effect) return [];
  if (effect.path === primary) return patternsOfPath(primary);
  return effect.url === primary ? patternsOfUrl(primary) : [];
}

function patternsOfCommands({ shell }: AnalyzedCall): ProposedPattern[] {
  const commands = leafCommands(shell?.commands ?? []);
  if (commands.length === 0 || commands.some(({ name, runBy }) => name === "" || runBy !== null)) return [];
  const withSubcommands = commands.map(({ name, words: [called, ...words] }) => {
    const subcommands = findSubcommands(name, findProgram(called.value, called.certainty), words);
    // With options before the subcommand, a pattern of both would not match the command.
    return words.slice(0, subcommands.length).every(({ value }, index) => value === subcommands[index])
      ? [name, ...subcommands].join(" ")
      : name;
  });
  return [withSubcommands, commands.map(({ name }) => name)].map((beginnings) => {
    const each = [...new Set(beginnings)];
    const [only] = each;
    const alternatives = each.map(escaped).join("|");
    return {
      pattern: `^${each.length === 1 && only ? escaped(only) : `(?:${alternatives})`}(?: |$)`,
      label: each.map((text) => `${text} …`).join(", "),
    };
  });
}

function patternsOfPath(path: string): ProposedPattern[] {
  const folder = path.replace(/[^/]*$/, "");
  const [top] = path.split("/");
  return [
    { pattern: `^${escaped(folder)}[^/]+$`, label: `files in ${folder || "the top folder"}` },
    ...(folder ? [{ pattern: `^${escaped(folder)}`, label: `everything below ${folder}` }] : []),
    ...(folder && top && `${top}/` !== folder ? [{ pattern: `^${escaped(`${top}/`)}`, label: `everything below ${top}/` }] : []),
  ];
}

function patternsOfUrl(text: string): ProposedPattern[] {
  if (!URL.canParse(text)) return [];
  const { origin, host, pathname } = new URL(text);
  const path = pathname.replace(/[^/]*$/, "");
  return [
    ...(path === "/" ? [] : [{ pattern: `^${escaped(`${origin}${path}`)}`, label: `${host}${path}…` }]),
    { pattern: `^${escaped(`${origin}/`)}`, label: `everything at ${host}` },
  ];
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
