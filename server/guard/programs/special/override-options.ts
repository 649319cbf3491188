import type { ProgramSpec } from "../program";

type Valued = NonNullable<ProgramSpec["valued"]>;

/** Merges shared options with a spec's own; the spec's own meaning of a name wins. */
export function overrideOptions(shared: Valued, own: Valued): Valued {
  const taken = new Set(Object.keys(own).flatMap((names) => names.split(" ")));
  const kept = Object.entries(shared).flatMap(([names, value]): [string, Valued[string]][] => {
    const rest = names.split(" ").filter((name) => !taken.has(name));
    return rest.length > 0 ? [[rest.join(" "), value]] : [];
  });
  return { ...Object.fromEntries(kept), ...own };
}
