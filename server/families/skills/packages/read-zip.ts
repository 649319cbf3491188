import yauzl, { type Entry } from "yauzl";
import { mostSkillBytes, mostSkillFileBytes } from "@/contracts/skills";
import { AppError, isAppError, toErrorMessage } from "@/server/platform/errors";
import { checkSkillPath, mainFile } from "../format/skill-paths";
import { isIgnoredFile } from "./package-files";

const maxEntries = 20_000;
const maxPackageBytes = 200 * 1_048_576;
/** Text shrinks to a hundredth at most; an archive bomb to a thousandth. */
const maxRatio = 200;
const harmlessBytes = 4 * 1_048_576;
const utf8Flag = 0x800;
const linkType = 0o120000;

/** Which part of a large archive is wanted: a repository may hold far more than skills. */
export type ZipChoice = { within?: string; onlySkills?: boolean };

/**
 * Reads a zip whole. All limits are checked on the declared sizes before anything is decompressed, and decompression ends
 * at the declared size. A folder around everything is taken off.
 * @throws AppError `invalid` for encrypted and damaged archives, links, and paths that lead out; `too_large`
 */
export async function readZip(
  bytes: Uint8Array,
  { within = "", onlySkills = false }: ZipChoice = {},
): Promise<ReadonlyMap<string, Uint8Array>> {
  try {
    const zip = await yauzl.fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
      validateEntrySizes: true,
      autoClose: false,
      decodeStrings: false,
    });
    const entries = new Map<string, Entry>();
    let count = 0;
    for await (const entry of zip.eachEntry()) {
      count += 1;
      if (count > maxEntries) throw new AppError("too_large", `The zip has more than ${maxEntries} entries.`);
      const path = nameOf(entry);
      if (path.endsWith("/") || isIgnoredFile(path)) continue;
      if (((entry.externalFileAttributes >>> 16) & 0o170000) === linkType) {
        if (onlySkills) continue;
        throw new AppError("invalid", `The zip holds the link ${path.slice(0, 120)}. Replace it by the file itself.`);
      }
      const checked = checkSkillPath(path);
      if (entries.has(checked)) throw new AppError("invalid", `The zip holds ${checked} twice. Make it anew.`);
      entries.set(checked, entry);
    }
    const wanted = chosen(withoutWrapper(entries), { within, onlySkills });
    assertHarmless(wanted, bytes.byteLength);
    const files = new Map<string, Uint8Array>();
    for (const [path, entry] of wanted) {
      if (entry.isEncrypted()) throw new AppError("invalid", `The zip is encrypted (${path}). Make it without a password.`);
      const pieces: Uint8Array[] = [];
      for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) pieces.push(piece);
      files.set(path, Buffer.concat(pieces));
    }
    return files;
  } catch (error) {
    if (isAppError(error)) throw error;
    throw new AppError("invalid", `The zip cannot be read (${toErrorMessage(error)}). It may be damaged, or no zip; make it anew.`);
  }
}

/** Names say with a flag that they are UTF-8. Without it they are UTF-8 all the same, or GBK as Chinese systems write them. */
function nameOf({ fileName, generalPurposeBitFlag }: Entry): string {
  const bytes = fileName as unknown as Uint8Array;
  for (const encoding of generalPurposeBitFlag & utf8Flag ? ["utf-8"] : ["utf-8", "gb18030"]) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes).replaceAll("\\", "/");
    } catch {}
  }
  return Buffer.from(bytes).toString("latin1").replaceAll("\\", "/");
}

/** Takes off a folder around everything, unless that folder is what makes the package a skill of its name. */
function withoutWrapper(entries: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> {
  const tops = new Set([...entries.keys()].map((path) => path.split("/")[0]));
  const [top] = tops;
  if (tops.size !== 1 || top === undefined || entries.has(top)) return entries;
  return new Map([...entries].map(([path, entry]) => [path.slice(top.length + 1), entry]));
}

/** Of a repository only folders with a SKILL.md are read, and of these only the part that was asked for. */
function chosen(entries: ReadonlyMap<string, Entry>, { within = "", onlySkills }: ZipChoice): ReadonlyMap<string, Entry> {
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

function assertHarmless(entries: ReadonlyMap<string, Entry>, archiveBytes: number): void {
  let total = 0;
  for (const [path, { uncompressedSize, compressedSize }] of entries) {
    if (uncompressedSize > mostSkillFileBytes) {
      const isBomb = uncompressedSize > compressedSize * maxRatio;
      throw new AppError(
        "too_large",
        isBomb
          ? `${path} grows to more than ${maxRatio} times its size, as an archive bomb does.`
          : `${path} has more than 1 MiB. Leave it out, or make it smaller.`,
      );
    }
    total += uncompressedSize;
  }
  if (total > harmlessBytes && total > archiveBytes * maxRatio)
    throw new AppError("too_large", `The zip grows to more than ${maxRatio} times its size, as an archive bomb does.`);
  if (total > maxPackageBytes)
    throw new AppError(
      "too_large",
      `The zip holds more than ${maxPackageBytes / 1_048_576} MiB. A skill has at most ${mostSkillBytes / 1_048_576} MiB; leave out what is no skill.`,
    );
}
