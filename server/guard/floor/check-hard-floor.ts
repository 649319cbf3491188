import { stripVTControlCharacters } from "node:util";
import type { Finding } from "@/contracts/decisions/decision";
import { effectsOfScript, type ShellReading } from "../effects/effects-of-script";
import { excerpt } from "../excerpt";
import { type LiteralValues, literalValues, possibleTexts } from "../script/literal-values";
import { ReadingBudget } from "../script/reading-budget";
import type { ShellScript } from "../script/shell-script";
import { findCodeDanger } from "./code-dangers";
import { type FloorCommand, floorCommand, floorSurroundings } from "./floor-command";
import { forkBombIn } from "./fork-bomb";
import { type FloorName, hardFloor, insteadOfFloor } from "./hard-floor";
import { listedTargets } from "./listed-targets";
import { filesWrittenBy, isRawDevice, isSystemTrigger, makesFileSystem } from "./raw-device";
import { changesSystemRights, deletesSystemFolder } from "./recursive-delete";
import { killsEverything, stopsMachine } from "./stop-machine";

/**
 * Checks the hard floor, which no rule, no default policy and no approval can lift, even with the guard switched off.
 * The check looks only at commands in command position, so that `echo reboot` passes and `sudo reboot` does not. The floor
 * guards against mistakes and is no sandbox: for obfuscated programs the policy asks by default.
 * @param home absolute path of the home folder on the machine of a client that runs the command
 */
export function checkHardFloor(command: ShellReading, home?: string): Finding[] {
  const found = new Map<string, Finding>();
  for (const reading of readingsOf(command)) {
    for (const finding of findingsIn(reading, home)) if (!found.has(finding.detector)) found.set(finding.detector, finding);
  }
  return [...found.values()];
}

/** Reads the text as written and, when it hides control or look-alike characters, without them. */
function readingsOf(command: ShellReading): ShellReading[] {
  if (/^[\t\n -~]*$/.test(command.text)) return [command];
  const plain = stripVTControlCharacters(command.text)
    .replace(/[^\P{Cc}\t\n]|\p{Cf}/gu, "")
    .replace(/[\p{Zl}\p{Zp}]/gu, "\n")
    .normalize("NFKC");
  return plain === command.text ? [command] : [command, effectsOfScript(plain, floorSurroundings, new ReadingBudget())];
}

function findingsIn(reading: ShellReading, home: string | undefined): Finding[] {
  const { script, nested, commands, codes } = reading;
  const values = literalValues([script, ...nested]);
  const floorCommands = commands.map((command) => floorCommand(command, values, home));
  const findings = floorCommands.flatMap(findingsOf);
  for (const one of [script, ...nested]) findings.push(...findingsInScript(one, values));
  for (const listed of listedTargets(reading, values, home)) findings.push(finding(listed.what, listed.does, listed.text));
  for (const { text, isElsewhere } of codes) {
    if (isElsewhere) findings.push(...checkHardFloor(effectsOfScript(text, floorSurroundings, new ReadingBudget())));
    else {
      const danger = findCodeDanger(text);
      if (danger) findings.push(finding(danger.what, danger.does, text));
    }
  }
  return findings;
}

function findingsInScript(script: ShellScript, values: LiteralValues): Finding[] {
  const findings: Finding[] = [];
  const written = [...script.redirections, ...script.commands.flatMap(({ redirections }) => redirections)].filter(
    ({ operator }) => operator !== "<",
  );
  const files = written.flatMap(({ target, folder, likelyFolder }) =>
    possibleTexts(target, values).map((value) => ({ value, at: folder ?? likelyFolder })),
  );
  for (const { value, at } of files) {
    if (isRawDevice(value, at)) findings.push(finding("raw_device", `writes to the device ${value} itself`, value));
    if (isSystemTrigger(value, at)) findings.push(finding("power", "controls the machine past its operating system", value));
  }
  const bomb = forkBombIn(script);
  if (bomb !== null) findings.push(finding("fork_bomb", `defines ${bomb}, which starts itself over and over`, bomb));
  return findings;
}

function findingsOf(command: FloorCommand): Finding[] {
  const text = command.words.join(" ");
  const findings: Finding[] = [];
  const folder = deletesSystemFolder(command);
  if (folder) findings.push(finding("recursive_delete", `deletes ${folder} and everything in it`, text));
  if (makesFileSystem(command)) findings.push(finding("make_file_system", "makes a new file system over what is there", text));
  const written = filesWrittenBy(command);
  const device = written.find((file) => isRawDevice(file, command.folder));
  if (device) findings.push(finding("raw_device", `writes to the device ${device} itself`, text));
  if (stopsMachine(command)) findings.push(finding("power", "stops or restarts the machine", text));
  if (written.some((file) => isSystemTrigger(file, command.folder)))
    findings.push(finding("power", "controls the machine past its operating system", "/proc/sysrq-trigger"));
  const rights = changesSystemRights(command);
  if (rights) findings.push(finding("system_rights", `changes who may use ${rights} and everything in it`, text));
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
