import type { Effect } from "@/contracts/decisions/effects";
import { contactsAtPath } from "@/contracts/messengers/contacts";
import type { AnalyzedCall } from "../call/analyzed-call";
import { runsCommands, touchesFiles } from "../call/tool-facts";
import { describeEffect } from "../effects/describe-effect";
import { changesWhatRuns, destroysWork, leavesFolder, leavesToHost, losesUncopied, touchesSecrets } from "../effects/effect-boundaries";
import { evidenceWords } from "../evidence-words";
import { type Detector, type DetectorMatch, type DetectorSettings, noDetectorMatches } from "./detector";
import { sensitiveArguments } from "./file-arguments";

type Row = Pick<Detector, "id" | "title" | "severity" | "explanation" | "fix" | "confinedBySandbox" | "isFutile"> & {
  finds: (effect: Effect, settings: DetectorSettings, call: AnalyzedCall) => boolean;
  /** Searches the arguments of tools that do not declare effects. */
  findsInArguments?: Detector["find"];
};

const changes = ({ kind }: Effect): boolean => kind === "write" || kind === "delete";
const changesPath = (effect: Effect, pattern: RegExp): boolean => changes(effect) && pattern.test(effect.target.path ?? "");

/** Dangers that effects alone show, in the order in which people read them. */
const rows: readonly Row[] = [
  {
    id: "workspace.escape",
    title: "Outside the folder",
    severity: "high",
    explanation:
      "A conversation works in a folder of its own. Other files belong to others: the machine, the people who use it, other conversations.",
    fix: "Use a path inside the folder, relative to it.",
    // File tools confine themselves to the folder, so an approval would change nothing.
    isFutile: ({ shell, tool, context }) => !context.machine && shell === null && touchesFiles(tool) && !runsCommands(tool),
    finds: leavesFolder,
  },
  {
    id: "file.sensitive",
    title: "Sensitive file",
    severity: "high",
    explanation:
      "Files like this one hold keys, passwords or the rules of who may do what. Who reads or changes them can act as somebody else.",
    fix: "Leave the file alone, or work on a copy without the secrets.",
    finds: touchesSecrets,
    findsInArguments: sensitiveArguments,
  },
  {
    id: "network.connect",
    title: "A host that is not allowed yet",
    severity: "low",
    explanation: "Programs reach only hosts that an admin allowed for everybody, or a person for one call.",
    fix: "Have an admin add the host to the allowed hosts, if it is needed often.",
    // Network tools make their own requests and check them themselves.
    finds: (effect, { allowedHosts }, { commands }) => commands.length > 0 && leavesToHost(effect, allowedHosts),
  },
  {
    id: "shell.delete_recursively",
    title: "Deleting folders with everything in them",
    severity: "high",
    explanation:
      "A whole folder goes at once; a wrong name or an empty variable makes that a lot. Folders that a build makes again are not meant.",
    fix: "Name the files, or move the folder aside.",
    finds: (effect) => effect.irreversible !== true && !losesUncopied(effect) && destroysWork(effect),
  },
  {
    id: "file.no_copy",
    title: "Files of which no copy can be kept",
    severity: "high",
    explanation:
      "Before a command changes what the conversation did not make, a copy is kept: files up to 20 MiB, 2,000 files and 64 MiB together, no repositories. These are more, so what is lost is lost.",
    fix: "Move a copy aside first, or name fewer files.",
    finds: losesUncopied,
  },
  {
    id: "shell.startup_file",
    title: "Files whose commands run by themselves",
    severity: "high",
    explanation: "Shell profiles, git hooks and settings, editor tasks and autostart folders run commands later, when nobody looks.",
    fix: "Say what should be changed there, and let a person do it.",
    finds: changesWhatRuns,
  },
  {
    id: "shell.system_file",
    title: "Files of the system",
    severity: "high",
    explanation: "Folders such as /etc and /usr belong to the machine; a wrong line there breaks it or opens it.",
    fix: "Keep to the folder.",
    finds: (effect) =>
      effect.target.where === "outside" && changesPath(effect, /^\/(?:private\/)?(?:etc|usr|s?bin|lib\d*|boot|opt)(?:\/|$)/),
  },
  {
    id: "shell.login_keys",
    title: "Keys for logging in",
    severity: "high",
    explanation: "A line in authorized_keys lets its owner log in from anywhere.",
    fix: "Ask a person to add the key.",
    finds: (effect) => changesPath(effect, /(?:^|\/)authorized_keys2?$/),
  },
  {
    id: "shell.sudoers",
    title: "Who may act as root",
    severity: "high",
    explanation: "A line in sudoers lets a user do everything on the machine.",
    fix: "Ask a person to change it.",
    finds: (effect) => changesPath(effect, /(?:^|\/)sudoers(?:\.d)?(?:\/|$)/),
  },
  {
    id: "contacts.change",
    title: "The people whom agents know",
    severity: "medium",
    explanation:
      "The file is the workspace's list of contacts. What stands there holds for everybody: whom messengers answer, and where messages go.",
    fix: "Say what should be changed, and let a person do it on the page Contacts.",
    // A command reaches the folder only, and no list lies there.
    finds: (effect, _settings, { tool, shell }) =>
      shell === null && touchesFiles(tool) && changes(effect) && contactsAtPath(effect.target.path ?? "") !== undefined,
  },
  {
    id: "shell.not_followed",
    title: "What is known only when the command runs",
    severity: "medium",
    explanation:
      "A variable, a list, a glob or a program that nothing here knows decides what is read, changed or run. Without the sandbox, that may be anything.",
    fix: "Write the paths out.",
    confinedBySandbox: true,
    finds: ({ kind, target }) => target.where === "not_known" && /^(?:read|write|delete|execute|signal)$/.test(kind),
  },
];

export const effectDetectors: readonly Detector[] = rows.map(({ finds, findsInArguments, ...row }) => ({
  ...row,
  verdict: "require_approval",
  relaxable: true,
  appliesTo: () => true,
  ...(findsInArguments ? {} : { mayFind: hasEffects }),
  find: (call, settings) => {
    let found: DetectorMatch[] | null = null;
    for (const effect of call.effects) {
      if (!finds(effect, settings, call)) continue;
      found ??= [];
      found.push({ message: `This call ${describeEffect(effect)}.`, text: evidenceWords(effect, call.arguments) });
    }
    return found ?? findsInArguments?.(call, settings) ?? noDetectorMatches;
  },
}));

function hasEffects({ effects }: AnalyzedCall): boolean {
  return effects.length > 0;
}
