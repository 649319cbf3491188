import { maxSkillFileBytes } from "@/contracts/skills/skills";
import { AppError } from "@/server/platform/errors";
import { openZipArchive, type ZipEntry } from "@/server/platform/formats/zip-archive";
import { assertSkillPath, mainFile } from "../format/skill-paths";
import { isIgnoredFile } from "./package-files";

const maxEntries = 20_000;
const maxPackageBytes = 200 * 1_048_576;

/** The part of a large archive that is wanted: a repository may hold far more than skills. */
export type ZipChoice = { within?: string; onlySkills?: boolean };

type Entries = ReadonlyMap<string, ZipEntry>;

/**
 * Reads a zip whole, after all its limits were checked. A folder around everything is taken off.
 * @throws AppError `invalid` for encrypted and damaged archives, links, and paths that lead out; `too_large`
 */
export async function readZip(
  bytes: Uint8Array,
  { within = "", onlySkills = false }: ZipChoice = {},
): Promise<ReadonlyMap<string, Uint8Array>> {
  const zip = await openZipArchive("The zip", bytes, { maxEntries });
  const entries = new Map<string, ZipEntry>();
  for (const entry of zip.entries) {
    if (isIgnoredFile(entry.path)) continue;
    if (entry.isLink) {
      if (onlySkills) continue;
      throw new AppError("invalid", `The zip holds the link ${entry.path.slice(0, 120)}. Replace it by the file itself.`);
    }
    const checked = assertSkillPath(entry.path);
    if (entries.has(checked)) throw new AppError("invalid", `The zip holds ${checked} twice. Make it anew.`);
    entries.set(checked, entry);
  }
  const wanted = chosen(withoutWrapper(entries), { within, onlySkills });
  zip.assertSafe([...wanted.values()], { bytes: maxPackageBytes });
  for (const [path, { bytes: size }] of wanted)
    if (size > maxSkillFileBytes) throw new AppError("too_large", `${path} has more than 1 MiB. Leave it out, or make it smaller.`);
  const files = new Map<string, Uint8Array>();
  for (const [path, entry] of wanted) files.set(path, await zip.read(entry));
  return files;
}

/** Takes off a folder around everything, unless that folder is what makes the package a skill of its name. */
function withoutWrapper(entries: Entries): Entries {
  const tops = new Set([...entries.keys()].map((path) => path.split("/")[0]));
  const [top] = tops;
  if (tops.size !== 1 || top === undefined || entries.has(top)) return entries;
  return new Map([...entries].map(([path, entry]) => [path.slice(top.length + 1), entry]));
}

/** Of a repository only folders with a SKILL.md are read, and of these only the part that was asked for. */
function chosen(entries: Entries, { within = "", onlySkills }: ZipChoice): Entries {
  const prefix = within === "" ? "" : `${within}/`;
  const inside = [...entries]
    .filter(([path]) => path.startsWith(prefix))
    .map(([path, entry]) => [path.slice(prefix.length), entry] as const);
  if (within !== "" && inside.length === 0) throw new AppError("not_found", `The repository has no folder ${within.slice(0, 120)}.`);
  if (!onlySkills) return new Map(inside);
  const folders = inside
    .filter(([path]) => path === mainFile || path.endsWith(`/${mainFile}`))
    .map(([path]) => path.slice(0, -mainFile.length));
  return new Map(inside.filter(([path]) => folders.some((folder) => path.startsWith(folder))));
}
