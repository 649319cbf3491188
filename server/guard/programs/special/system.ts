import { findOptionValues, isGiven } from "../given-options";
import { type EffectSink, elevates, type FixedEffect, notes, type Program, type ProgramSpec, program, readsUnknown } from "../program";

const changesServices = elevates("shell.services", "changes what runs on the machine");
export const changesMachine = elevates("shell.machine_setup", "changes how the machine is set up");
export const schedules: FixedEffect = {
  kind: "schedule",
  target: { where: "outside" },
  note: "shell.schedule",
  says: "sets commands that run later by themselves",
};
const endsByName = notes("shell.kill_by_name", "ends processes by name, at once");
export const signals: FixedEffect = { kind: "signal", target: { where: "inside" } };

/** Adds the processes of `kill -9 123`; a first number with a dash is a signal. */
export function ends({ parsed, does }: EffectSink): void {
  if (parsed.operands.length === 0 || isGiven(parsed, "-l -L --list --table")) return;
  const unknown = parsed.operands.find(({ certainty }) => certainty !== "literal");
  if (unknown) does({ kind: "signal", target: { where: "not_known" } }, unknown);
  else does(signals);
}

export function endsNamed({ parsed, command, does }: EffectSink): void {
  if (isGiven(parsed, "-l --list") && parsed.operands.length === 0) return;
  does(signals);
  const words = command.words.slice(1).map(({ value }) => value);
  if (
    words.some((word) => /^-(?:9|KILL|SIGKILL)$/.test(word)) ||
    findOptionValues(parsed, "-s --signal").some(({ value }) => /^(?:9|(?:SIG)?KILL)$/i.test(value))
  )
    does(endsByName);
}

/** Builds the effects of a program whose verb either only reads or changes what runs. */
export function verb(looking: RegExp, at = 0): (act: EffectSink) => void {
  return ({ parsed, does }) => {
    const word = parsed.operands[at];
    if (word?.certainty === "literal" && looking.test(word.value)) return;
    if (word || parsed.operands.length > 0) does(changesServices, word);
  };
}

/** Builds a program that only reads without words, or with one of these words. */
export function machine(looking: RegExp): ProgramSpec {
  return {
    special: ({ command, does }) => {
      const words = command.words
        .slice(1)
        .map(({ value }) => value)
        .join(" ");
      if (words !== "" && !looking.test(words)) does(changesMachine);
    },
  };
}

export function plansJobs({ parsed, role, does }: EffectSink): void {
  if (isGiven(parsed, "-l")) return;
  does(schedules);
  for (const file of parsed.operands) role("configures", file);
}

/** Notes `ps eww`: without a dash, `e` shows the environments of other programs, and the secrets in them. */
export function showsEnvironments({ parsed, does }: EffectSink): void {
  for (const word of parsed.operands) if (/^[A-Za-z]*e/.test(word.value)) does(readsUnknown, word);
}

export const looks = (names: string, spec: ProgramSpec = {}): Program => program(names, spec);
export const changes = (names: string): Program => program(names, { does: [changesMachine] });
