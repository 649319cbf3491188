/** Names of arguments that hold a path, in any tool. */
const pathName =
  /^(?:(?:(?:file|dir|folder|directory|root|base|source|src|destination|dest|target|from|to|old|new|input|output|local|working|work|repo)[_-]?)?(?:paths?|files?|file[_-]?names?|dirs?|directory|directories|folders?)|cwd|root|source|destination|uri)$/i;

const endsLikePathName =
  /(?:path|paths|file|files|filename|dir|directory|folder|src|(?<!re)source|dest|destination|target|from|to|uri|url|output|input|location)$/i;

/** Returns whether an argument of this name may hold a path: for readers that had rather take too many texts for paths. */
export function mayNamePath(name: string): boolean {
  return endsLikePathName.test(name) || isPathName(name);
}

/** Returns whether an argument of this name holds a path. */
export function isPathName(name: string): boolean {
  return pathName.test(name);
}
