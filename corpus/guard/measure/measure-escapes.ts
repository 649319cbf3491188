import type { Verdict } from "@/contracts/decisions/decision";
import { corpus } from "@/corpus/guard/corpus";
import { type Escape, type EscapeInTwoCalls, escapes, escapesInTwoCalls } from "@/corpus/guard/escapes";
import { decide } from "@/server/guard/decide";
import { layOutFolder } from "./escape-folder";
import { buildRequest, requestIn, type Setting, settings, sixtyReaders, twoCalls } from "./settings";

export type EscapeFigures = {
  /** Allowed escapes of each setting, with their class before them. */
  allowed: Record<string, { of: number; escapes: string[] }>;
  /** Calls that must be denied even under an allow rule for the whole shell. */
  floor: { of: number; asked: string[]; allowed: string[] };
  twoCalls: { of: number; allowed: string[] };
  /** Commands of the older corpus that a rule for readers must not allow, and plain reads that it should. */
  olderDangerous: { of: number; allowed: string[] };
  plainReads: { of: number; notAllowed: string[] };
};

const verdictOf = (command: string, setting: Setting): Verdict =>
  decide(setting.policy, buildRequest("shell_execute", { command }, setting)).verdict;

const describeCall = ({ class: kind, command }: Escape) => `${kind} | ${command}`;

async function allowedIn(setting: Setting, candidates: readonly Escape[]): Promise<{ of: number; escapes: string[] }> {
  const allowed: Escape[] = [];
  for (const candidate of candidates) if (await isAllowed(candidate, setting)) allowed.push(candidate);
  return { of: candidates.length, escapes: allowed.map(describeCall) };
}

/** Links and files with secrets lie in the folder of those that are about them. */
async function isAllowed({ command, links, class: kind }: Escape, setting: Setting): Promise<boolean> {
  if (links === undefined && kind !== "sensitive files") return verdictOf(command, setting) === "allow";
  return decide(setting.policy, await requestIn(folderWith(links ?? {}), command, setting)).verdict === "allow";
}

const folders = new Map<string, ReturnType<typeof layOutFolder>>();

/** Nothing runs in it, so that one serves all. */
function folderWith(links: NonNullable<Escape["links"]>): string {
  const key = JSON.stringify(links);
  const laidOut = folders.get(key) ?? layOutFolder(links);
  folders.set(key, laidOut);
  return laidOut.folder;
}

/** Decides every escape in every setting where it must not pass. */
export async function measureEscapes(): Promise<EscapeFigures> {
  const mustBeDenied = escapes.filter(({ expect }) => expect === "deny");
  const inWholeShell = mustBeDenied.map((entry) => ({ text: describeCall(entry), verdict: verdictOf(entry.command, settings.wholeShell) }));
  const older = corpus.flatMap(({ commands, ...group }) => commands.map((command) => ({ ...group, command })));
  const dangerous = older.filter(({ kind }) => kind === "dangerous");
  const reads = older.filter(({ onlyReads }) => onlyReads);
  const inReaders = ({ command }: { command: string }) => verdictOf(command, settings.readers) === "allow";
  const figures = {
    allowed: {
      [settings.shippedWithSandbox.name]: await allowedIn(
        settings.shippedWithSandbox,
        escapes.filter(({ leavesSandbox }) => leavesSandbox),
      ),
      [settings.shippedWithoutSandbox.name]: await allowedIn(settings.shippedWithoutSandbox, escapes),
      [settings.looking.name]: await allowedIn(settings.looking, escapes),
      [settings.readers.name]: await allowedIn(settings.readers, escapes),
      [sixtyReaders.name]: await allowedIn(sixtyReaders, escapes),
    },
    floor: {
      of: mustBeDenied.length,
      asked: inWholeShell.filter(({ verdict }) => verdict === "require_approval").map(({ text }) => text),
      allowed: inWholeShell.filter(({ verdict }) => verdict === "allow").map(({ text }) => text),
    },
    twoCalls: {
      of: escapesInTwoCalls.length,
      allowed: escapesInTwoCalls
        .filter(isAllowedThroughout)
        .map(({ calls }) => calls.map((call) => JSON.stringify(call.arguments)).join(" then ")),
    },
    olderDangerous: { of: dangerous.length, allowed: dangerous.filter(inReaders).map(({ command }) => command) },
    plainReads: { of: reads.length, notAllowed: reads.filter((entry) => !inReaders(entry)).map(({ command }) => command) },
  };
  for (const { remove } of folders.values()) remove();
  return figures;
}

const isAllowedThroughout = ({ calls }: EscapeInTwoCalls) =>
  calls.every((call) => decide(twoCalls.policy, buildRequest(call.tool, call.arguments, twoCalls)).verdict === "allow");
