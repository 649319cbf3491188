import { globFits } from "../matching/glob";

/** Paths that an admin called sensitive. */
export type SensitivePaths = {
  /** The glob that a path fits, or a folder above it does; null when none does. */
  fitting: (path: string) => string | null;
  isEmpty: boolean;
};

type Compiled = { glob: string; segments: readonly string[]; anchored: boolean };

/**
 * Globs of paths: `*` and `?` stay within one name, `**` stands for any number of folders. One that starts with `/` or
 * `~/` is meant from there; every other may stand anywhere in a path. What fits a folder fits everything in it. Letters
 * of both cases are the same, as they are for some file systems.
 */
export function compileSensitivePaths(globs: readonly string[]): SensitivePaths {
  if (globs.length === 0) return { fitting: () => null, isEmpty: true };
  const compiled = globs.map(compile);
  return {
    isEmpty: false,
    fitting: (path) => {
      const segments = segmentsOf(path);
      const anchored = /^[/~]/.test(path);
      return compiled.find((glob) => fits(glob, segments, anchored))?.glob ?? null;
    },
  };
}

function compile(glob: string): Compiled {
  const anchored = /^[/~]/.test(glob);
  // Whatever follows is taken as well: the folder itself says it.
  const segments = segmentsOf(glob.replace(/(\/\*\*?)+\/?$/, ""));
  return { glob, segments: anchored ? segments : ["**", ...segments], anchored };
}

function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split(/[/\\]/)
    .filter((segment) => segment !== "" && segment !== ".");
}

/** The same walk as `globFits`, over names in place of characters, and satisfied by a beginning of the path. */
function fits({ segments: glob, anchored }: Compiled, path: readonly string[], isAnchored: boolean): boolean {
  if (anchored && !isAnchored) return false;
  let at = 0;
  let starAt = -1;
  let pathAtStar = 0;
  let inPath = 0;
  while (at < glob.length) {
    if (glob[at] === "**") {
      starAt = at;
      pathAtStar = inPath;
      at += 1;
    } else if (inPath < path.length && globFits(glob[at] ?? "", path[inPath] ?? "")) {
      at += 1;
      inPath += 1;
    } else if (starAt >= 0 && pathAtStar < path.length) {
      pathAtStar += 1;
      inPath = pathAtStar;
      at = starAt + 1;
    } else {
      return false;
    }
  }
  return true;
}
