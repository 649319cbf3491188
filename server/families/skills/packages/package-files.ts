import { maxSkillBytes, maxSkillFileBytes } from "@/contracts/skills/skills";
import { AppError } from "@/server/platform/errors";
import { assertSkillPath, mainFile } from "../format/skill-paths";

/** Files by their paths, in memory: a package is read whole before anything is written. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** A folder of a package that holds a SKILL.md. */
export type FoundSkill = { folder: string; files: Files };

const maxFiles = 2_000;
const maxSkills = 200;
/** Folders by which files beside SKILL.md are sorted, when a package has no folders. */
const buckets: readonly [RegExp, string][] = [
  [/\.(?:py|sh|bash|mjs|cjs|js|ts|rb|pl|ps1)$/i, "scripts"],
  [/\.(?:md|txt|rst|csv|json|ya?ml|pdf)$/i, "references"],
];
const looseNames = /^(?:SKILL\.md|LICENSE.*|README.*|NOTICE.*|CHANGELOG.*|requirements.*\.txt|package(?:-lock)?\.json|pyproject\.toml)$/i;
const ignored = /(?:^|\/)(?:__MACOSX|\.git|\.svn|node_modules|__pycache__)(?:\/|$)|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/;

/** Files that no skill needs: what version control and systems leave behind. */
export const isIgnoredFile = (path: string): boolean => ignored.test(path);

/**
 * Divides a package into its skills: each folder with a SKILL.md, with everything below it.
 * @throws AppError `invalid` when there is none, or one is too large
 */
export function splitPackage(given: ReadonlyMap<string, Uint8Array>): FoundSkill[] {
  const files = new Map([...given].map(([path, bytes]) => [assertSkillPath(path), bytes] as const));
  const folders = [...files.keys()]
    .filter((path) => path === mainFile || path.endsWith(`/${mainFile}`))
    .map((path) => path.slice(0, -mainFile.length).replace(/\/$/, ""))
    .sort();
  if (folders.length === 0) {
    const wrong = [...files.keys()].find((path) => /(?:^|\/)skill\.md$/i.test(path));
    throw new AppError(
      "invalid",
      wrong
        ? `The package has ${wrong}, but the file must be named SKILL.md. Rename it.`
        : "The package holds no SKILL.md. A skill is a folder with a SKILL.md.",
    );
  }
  // A skill within a skill belongs to the outer one.
  const outer = folders.filter((folder) => !folders.some((other) => other !== folder && (other === "" || folder.startsWith(`${other}/`))));
  if (outer.length > maxSkills)
    throw new AppError("too_large", `The package holds ${outer.length} skills. Install at most ${maxSkills} at once.`);
  return outer.map((folder) => {
    const prefix = folder === "" ? "" : `${folder}/`;
    const own = new Map(
      [...files].filter(([path]) => path.startsWith(prefix)).map(([path, bytes]) => [path.slice(prefix.length), bytes] as const),
    );
    const found = { folder, files: sorted(own) };
    assertSize(found);
    return found;
  });
}

/** A package without folders has its files sorted by their endings, as our own tools expect them. */
function sorted(files: Files): Files {
  if ([...files.keys()].some((path) => path.includes("/"))) return files;
  const text = new TextDecoder().decode(files.get(mainFile));
  return new Map(
    [...files].map(([path, bytes]) => {
      // A file that SKILL.md names by its path stays where SKILL.md says.
      const bucket = looseNames.test(path) || text.includes(path) ? undefined : buckets.find(([ending]) => ending.test(path))?.[1];
      return [bucket ? `${bucket}/${path}` : path, bytes] as const;
    }),
  );
}

/** @throws AppError `too_large` */
export function assertSize({ folder, files }: FoundSkill): void {
  const name = folder === "" ? "The skill" : `The skill in ${folder}`;
  if (files.size > maxFiles) throw new AppError("too_large", `${name} has ${files.size} files. The most are ${maxFiles}.`);
  let total = 0;
  for (const [path, bytes] of files) {
    if (bytes.byteLength > maxSkillFileBytes)
      throw new AppError("too_large", `${name}: ${path} has more than 1 MiB. Leave it out, or make it smaller.`);
    total += bytes.byteLength;
  }
  if (total > maxSkillBytes) throw new AppError("too_large", `${name} has more than 50 MiB of files.`);
}

/** Decodes a file as UTF-8; null for bytes that are no text. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
