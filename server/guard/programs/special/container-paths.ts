import type { EffectSink } from "../program";

/** Adds the local side of a copy: `web:/app/x` lies in a container, any other word on this machine. */
export function copiesOver({ parsed, role }: EffectSink): void {
  for (const [at, word] of parsed.operands.entries()) {
    if (word.value === "-" || /^[^./~][^/:]*(?:\/[^/:]+)?:/.test(word.value)) continue;
    role(at > 0 && at === parsed.operands.length - 1 ? "writes" : "reads", word, true);
  }
}
