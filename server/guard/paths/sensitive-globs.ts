import { globFits } from "./glob";

/** Paths that an admin called sensitive. */
export type SensitivePaths = {
  /** Returns the glob that matches a path or a folder above the path; null when none does. */
  fitting: (path: string) => string | null;
  isEmpty: boolean;
};

export const noSensitivePaths: SensitivePaths = { fitting: () => null, isEmpty: true };

type Compiled = { glob: string; segments: readonly string[]; anchored: boolean };

/**
 * Compiles globs of paths: `*` and `?` stay within one name, `**` stands for any number of folders. A glob that starts
 * with `/` or `~/` is anchored there; any other may match anywhere in a path. A glob that matches a folder matches
 * everything in it. Case is ignored, because some file systems ignore case.
 */
export function compileSensitivePaths(globs: readonly string[]): SensitivePaths {
  if (globs.length === 0) return noSensitivePaths;
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
  // A trailing `/*` or `/**` is dropped, because a match of the folder covers its content.
  const segments = segmentsOf(glob.replace(/(\/\*\*?)+\/?$/, ""));
  return { glob, segments: anchored ? segments : ["**", ...segments], anchored };
}

function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split(/[/\\]/)
    .filter((segment) => segment !== "" && segment !== ".");
}

/** Matches like `globFits`, but over names in place of characters, and a match of the path's beginning suffices. */
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
