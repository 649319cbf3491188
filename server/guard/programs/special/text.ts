import { type EffectSink, type GivenOption, givenOption, loadsCode, runsUnknown, writesByOption } from "../program";
import { onlyPrintsAwk } from "./awk-program";
import { readSed } from "./sed-script";

export const runsInside = { ...runsUnknown, note: "shell.text_program_runs", says: "has a text program that may run a command" } as const;
const writesInside = { note: "shell.text_program_writes", says: "writes a file from within its text program" } as const;

/** Adds the effects of `sed script file …` and `sed -e script file …`. */
export function edits({ parsed, role, does, code }: EffectSink): void {
  const { options } = parsed;
  const inPlace = givenOption(parsed, "-i -I --in-place");
  if (inPlace && parsed.operands.length > 0) does(writesByOption, inPlace.word);
  // On BSD, `-i ''` means no backup, and `-l` has no value.
  const operands = inPlace && parsed.operands[0]?.value === "" ? parsed.operands.slice(1) : parsed.operands;
  const isScript = ({ name, value }: GivenOption) =>
    /^(?:-e|--expression)$/.test(name) || (name === "-l" && !/^\d*$/.test(value?.value ?? ""));
  const given = options.filter(isScript).flatMap(({ value }) => value ?? []);
  const isGiven = given.length > 0 || givenOption(parsed, "-f --file") !== undefined;
  // BSD takes the first operand for a script where GNU takes it for a file, so a command in it counts, too.
  const before = isGiven && operands[0] !== undefined && readSed(operands[0].value).writes.length > 0 ? operands.slice(0, 1) : [];
  const scripts = isGiven ? [...before, ...given] : operands.slice(0, 1);
  const [first] = scripts;
  if (first) {
    const { reads, writes, isUnclear } = readSed(scripts.map(({ value }) => value).join("\n"));
    if (isUnclear || scripts.some(({ certainty }) => certainty !== "literal")) {
      does(runsInside, first);
      code(scripts.map(({ value }) => value).join("\n"), first);
    }
    for (const value of reads) role("reads", { ...first, value });
    for (const value of writes) {
      role("writes", { ...first, value });
      does(writesInside, first);
    }
  }
  for (const file of isGiven ? operands : operands.slice(1)) role(inPlace ? "changes" : "reads", file);
}

/** Adds the effects of `awk program file …` and `awk -f program file …`. */
export function computes({ parsed, role, does, code }: EffectSink): void {
  const { options, operands } = parsed;
  const given = options.filter(({ name }) => /^(?:-e|--source)$/.test(name)).flatMap(({ value }) => value ?? []);
  const isGiven = given.length > 0 || givenOption(parsed, "-f --file -E --exec") !== undefined;
  const programs = isGiven ? given : operands.slice(0, 1);
  const [first] = programs;
  const text = programs.map(({ value }) => value).join("\n");
  if (first && (programs.some(({ certainty }) => certainty !== "literal") || !onlyPrintsAwk(text))) {
    does(runsInside, first);
    code(text, first);
    if (/>/.test(text)) does(writesInside, first);
  }
  const included = givenOption(parsed, "-i --include")?.value;
  const inPlace = included?.value === "inplace";
  if (inPlace) does(writesByOption, included);
  if (included && !inPlace) does(loadsCode, included);
  for (const file of isGiven ? operands : operands.slice(1)) {
    if (!/^[A-Za-z_]\w*=/.test(file.value)) role(inPlace ? "changes" : "reads", file);
  }
}

/** Sets the machine's clock: `date -s`. */
export const setsClock = {
  kind: "elevate",
  target: { where: "outside" },
  note: "shell.machine_setup",
  says: "sets the clock of the machine",
} as const;

/** Notes `date 12312359`: an operand that is not a format sets the time. */
export function setsTime({ parsed, does }: EffectSink): void {
  const time = parsed.operands.find(({ value }) => !value.startsWith("+"));
  if (time) does(setsClock, time);
}
