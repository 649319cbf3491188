import { stripVTControlCharacters } from "node:util";
import type { Finding } from "@/contracts/decision";
import { excerpt } from "../excerpt";
import { type RunningCommand, type RunningScript, readShell, type ShellReading } from "../shell/running-commands";
import { forkBombIn } from "./fork-bomb";
import { type FloorName, hardFloor, insteadOfFloor } from "./hard-floor";
import { filesWrittenBy, isRawDevice, isSystemTrigger, makesFileSystem, writesToDevice } from "./raw-device";
import { deletesSystemFolder } from "./recursive-delete";
import { killsEverything, stopsMachine } from "./stop-machine";

/**
 * The hard floor: what no rule, no default policy and no approval lets run, even with the guard switched off. It looks
 * at commands in command position only, so that `echo reboot` passes and `sudo reboot` does not. It is a floor under
 * mistakes, not a sandbox: a program that hides what it does is a matter for rules, which ask by default.
 */
export function findInFloor(command: ShellReading): Finding[] {
  const found = new Map<string, Finding>();
  for (const { running } of readingsOf(command)) {
    for (const finding of running.flatMap(findingsIn)) if (!found.has(finding.detector)) found.set(finding.detector, finding);
  }
  return [...found.values()];
}

/** The text as it is, and as it would read without what hides in it. */
function readingsOf(command: ShellReading): ShellReading[] {
  if (/^[\t\n -~]*$/.test(command.text)) return [command];
  const plain = stripVTControlCharacters(command.text)
    .replace(/[^\P{Cc}\t\n]|\p{Cf}/gu, "")
    .replace(/[\p{Zl}\p{Zp}]/gu, "\n")
    .normalize("NFKC");
  return plain === command.text ? [command] : [command, readShell(plain)];
}

function findingsIn({ script, commands, writesTo, folders }: RunningScript): Finding[] {
  const findings = commands.flatMap(findingsOf);
  const device = writesTo.find((target) => folders.some((folder) => isRawDevice(target, folder)));
  if (device) findings.push(finding("raw_device", `writes to the device ${device} itself`, device));
  if (
    writesTo.some((target) => folders.some((folder) => isSystemTrigger(target, folder))) ||
    commands.some((command) => filesWrittenBy(command).some((file) => isSystemTrigger(file, command.folder)))
  ) {
    findings.push(finding("power", "controls the machine past its operating system", "/proc/sysrq-trigger"));
  }
  const bomb = forkBombIn(script);
  if (bomb !== null) findings.push(finding("fork_bomb", `defines ${bomb}, which starts itself over and over`, bomb));
  return findings;
}

function findingsOf(command: RunningCommand): Finding[] {
  const text = command.words.join(" ");
  const findings: Finding[] = [];
  const folder = deletesSystemFolder(command);
  if (folder) findings.push(finding("recursive_delete", `deletes ${folder} and everything in it`, text));
  if (makesFileSystem(command)) findings.push(finding("make_file_system", "makes a new file system over what is there", text));
  const device = writesToDevice(command);
  if (device) findings.push(finding("raw_device", `writes to the device ${device} itself`, text));
  if (stopsMachine(command)) findings.push(finding("power", "stops or restarts the machine", text));
  if (killsEverything(command)) findings.push(finding("kill_everything", "ends every process of the machine", text));
  return findings;
}

function finding(what: FloorName, does: string, text: string): Finding {
  return {
    detector: `floor.${what}`,
    severity: "critical",
    verdict: "deny",
    message: `This command ${excerpt(does)}. It is never run, approved or not: find another way, or leave it to a person.`,
    excerpt: excerpt(text),
    explanation: hardFloor[what].explanation,
    fix: insteadOfFloor,
  };
}
