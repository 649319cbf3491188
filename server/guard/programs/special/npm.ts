import type { EffectSink } from "../program";

/** Runs the file of `bun x.ts`, when the operand is not the name of a script. */
export function runsFile({ parsed, role }: EffectSink): void {
  const [file] = parsed.operands;
  if (file && /[./]/.test(file.value)) role("executes", file);
}
