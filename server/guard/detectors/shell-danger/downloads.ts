import { valuesOf } from "../../shell/inner-commands";
import type { RunningCommand, RunningScript, ShellReading } from "../../shell/running-commands";
import { argumentsOf, type CommandCheck, type Family, nothing, operandsOf, type Seen, seen } from "./danger";
import { isLanguage, readsProgram, runsInput } from "./interpreters";
import { optionAmong, optionList } from "./option-list";
import { countSources, isDownload, runsText } from "./program-sources";

const ofScript = (script: RunningScript, reading: ShellReading): readonly Seen[] => {
  const found: Seen[] = [];
  const downloads = script.commands.filter(isDownload);
  const counts = countSources(script);
  for (const command of script.commands) {
    const shell = runsText(command.name);
    const runsIt = runsInput(command);
    if (!shell && !runsIt && !isLanguage(command.name)) continue;
    // With a program of its own, such as `python -m json.tool`, a language only reads what comes down the pipe.
    const readsInput = shell || runsIt || readsProgram(command);
    if (counts.amongSources(command, "download", readsInput)) {
      found.push(...seen("shell.download_and_run", `hands a download to ${command.name}, unread`, command));
    } else if (counts.amongSources(command, "decoder", readsInput)) {
      found.push(...seen("shell.hidden_program", `hands text that was decoded to ${command.name}`, command));
    } else if (shell && counts.amongSources(command, "other", readsInput)) {
      found.push(...seen("shell.piped_program", `hands what another command prints to ${command.name}`, command));
    }
  }
  return [...found, ...downloadedFileIn(script, downloads), ...madeRunnableIn(script, reading)];
};

const targetsOfCurl = ["-o", "--output"];
const targetsOfOthers = ["-o", "-O", "--output", "--output-document"];

/** Where a download is saved. */
function savedBy({ words, name }: RunningCommand): string[] {
  const named = words.flatMap((word) => /^[a-z]+:\/\/[^?#]*\/([^/?#]+)/.exec(word)?.[1] ?? []);
  return [...valuesOf(words.slice(1), name === "curl" ? targetsOfCurl : targetsOfOthers), ...named];
}

const fileName = (word: string): string => word.replace(/^(\.\/)+/, "");

/** `curl -o x url; sh x`: a download that is run as a file. */
function downloadedFileIn(script: RunningScript, downloads: readonly RunningCommand[]): readonly Seen[] {
  if (downloads.length === 0) return nothing;
  const saved = new Set(
    [...downloads.flatMap(savedBy), ...script.writesTo]
      .map(fileName)
      .filter((name) => name !== "" && name !== "-" && !name.startsWith("/dev/")),
  );
  if (saved.size === 0) return nothing;
  const run = script.commands.find((command) => filesRunBy(command).some((file) => saved.has(fileName(file))));
  return run ? seen("shell.download_and_run", "runs a file that it has just downloaded", run) : nothing;
}

function filesRunBy(command: RunningCommand): readonly string[] {
  const { name, words } = command;
  if (runsText(name) || isLanguage(name)) return operandsOf(command).slice(0, 1);
  return words[0]?.includes("/") ? [words[0]] : [];
}

/** `chmod +x x; ./x`: a file that was data a moment ago. */
function madeRunnableIn(script: RunningScript, reading: ShellReading): readonly Seen[] {
  if (!reading.text.includes("chmod")) return nothing;
  const made = new Set(
    script.commands
      .filter(
        ({ name, words }) => name === "chmod" && /x|^[0-7]*[1357]/.test(words.slice(1).find((word) => !/^-[Rcfv]+$|^--/.test(word)) ?? ""),
      )
      .flatMap((command) => operandsOf(command).map(fileName)),
  );
  const run = made.size === 0 ? undefined : script.commands.find(({ words }) => words[0]?.includes("/") && made.has(fileName(words[0])));
  return run ? seen("shell.made_runnable", "makes a file a program and runs it at once", run) : nothing;
}

const curlUploads = optionList("--data-binary @* -F --form");
const wgetUploads = optionList("--post-file --body-file");

const ofCurl: CommandCheck = (command) => {
  const args = argumentsOf(command);
  const sends = optionAmong(args, curlUploads) !== null && args.some((word) => /^@|[=<]@|=</.test(word));
  // `--data-urlencode name@file` sends the file under a name.
  const named = valuesOf(args, ["--data-urlencode"]).some((value) => /^[^=]*@/.test(value));
  return sends ||
    named ||
    valuesOf(args, ["-T", "--upload-file"]).length > 0 ||
    args.some((word) => /^(-d@|--data(-binary|-raw|-ascii)?=@)/.test(word))
    ? seen("shell.upload", "sends a file to another machine", command)
    : nothing;
};

export const downloads: Family = {
  dangers: [
    {
      id: "shell.download_and_run",
      title: "A download that runs unread",
      severity: "critical",
      verdict: "deny",
      escapes: true,
      explanation: "What a server sends at that moment is run as a program, before anybody has seen it.",
      fix: "Download to a file, look at it, and run it in a second step.",
    },
    {
      id: "shell.hidden_program",
      title: "A program that is hidden in the command",
      severity: "high",
      verdict: "require_approval",
      escapes: true,
      explanation: "Text is decoded or unpacked and then run: what it does cannot be seen in the command.",
      fix: "Write the commands themselves.",
    },
    {
      id: "shell.piped_program",
      title: "Output that is run as a program",
      severity: "high",
      verdict: "require_approval",
      escapes: true,
      explanation: "What another command prints is run by a shell, and cannot be known before.",
      fix: "Look at the output first, and run the commands themselves.",
    },
    {
      id: "shell.made_runnable",
      title: "A file that becomes a program and runs",
      severity: "medium",
      verdict: "require_approval",
      escapes: true,
      explanation: "chmod +x and running the same file in one go is how unknown programs are started.",
      fix: "Make it runnable and run it in two steps, or name its interpreter.",
    },
    {
      id: "shell.upload",
      title: "A file that is sent away",
      severity: "medium",
      verdict: "require_approval",
      escapes: true,
      explanation: "The content of a file leaves the machine.",
      fix: "Send only what is needed, with a tool that is meant for it.",
    },
  ],
  ofCommand: new Map<string, CommandCheck>([
    ["curl", ofCurl],
    [
      "wget",
      (command) =>
        optionAmong(argumentsOf(command), wgetUploads) === null
          ? nothing
          : seen("shell.upload", "sends a file to another machine", command),
    ],
  ]),
  ofScript,
};
