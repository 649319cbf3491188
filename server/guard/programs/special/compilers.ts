import { isGiven } from "../given-options";
import { type EffectSink, loadsCode, writesFolder } from "../program";

/** Adds the effects of options for a compiler or linker whose values stand in the same word. */
export function compiles({ parsed, command, does, role }: EffectSink): void {
  if (!isGiven(parsed, "-o --output -E -fsyntax-only -M -MM")) does(writesFolder);
  for (const word of command.words.slice(1)) {
    const { value } = word;
    if (/^-(?:fplugin|specs|wrapper|B|load|fpass-plugin|Xclang|ld-path|fuse-ld=\/|plugin|dynamic-linker)/.test(value))
      does(loadsCode, word);
    else if (/^-Wl,.*(?:-plugin|--dynamic-linker)/.test(value)) does(loadsCode, word);
    else if (/^-o./.test(value) && !/^-(?:object|opt)/.test(value)) role("writes", { ...word, value: value.slice(2) });
  }
}
