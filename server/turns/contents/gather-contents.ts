import "server-only";
import { glob } from "node:fs/promises";
import path from "node:path";
import type { KeptContents } from "@/contracts/calls/call-contents";
import { temporaryFolderPath } from "@/server/capabilities/sandbox/temporary-folder";
import { analyzeCallIfReadable } from "@/server/guard/call/analyzed-call";
import { contentsOfCall } from "@/server/guard/call/contents-of-call";
import type { GuardRequest } from "@/server/guard/call/guard-request";
import type { ContentSource } from "@/server/guard/programs/content-sources";
import { folderAt } from "@/server/guard/script/working-folder";
import { findGitSettings, remotesIn } from "./git-remotes";
import { ContentHasher } from "./hash-files";
import { findNamed, listNames } from "./named-files";

const maxMatches = 500;
/** Files that name files that name files: a script, its library, the library's library. */
const maxDepth = 4;

/**
 * Hashes the files that a call runs or is configured by, as they are now. Of a call outside of the sandbox, the files that
 * these name belong to it, too.
 * @returns null for a call that no file decides
 */
export async function gatherContents(request: GuardRequest, folder: string): Promise<KeptContents | null> {
  const call = analyzeCallIfReadable(request);
  const found = call && contentsOfCall(call);
  if (!found || found.sources.length === 0) return null;
  const { sources, isOutside } = found;
  const hasher = new ContentHasher();
  const { conversationId } = request.context;
  // In the sandbox, /tmp is the conversation's own.
  const temporary = isOutside || conversationId === undefined ? null : temporaryFolderPath(conversationId);
  for (const source of sources) await addSource(source, { folder, temporary, isOutside, hasher });
  if (isOutside) await addNamed(folder, hasher);
  // Also without files, because a default file that appears while the approval waits is a change.
  return hasher.kept();
}

type Place = { folder: string; temporary: string | null; isOutside: boolean; hasher: ContentHasher };

async function addSource({ as, path: written, named, isDefault, isData, part }: ContentSource, place: Place): Promise<void> {
  const { folder, hasher } = place;
  if (written === null) return hasher.cannotFix(`\`${named}\` is known only when the command runs.`);
  const shown = written === folder || written.startsWith(`${folder}/`) ? written.slice(folder.length + 1) || "." : written;
  if (part === "remotes") {
    for (const file of await findGitSettings(placeOf(shown, place), folder, place.isOutside)) {
      await hasher.addPart(file, `${file.startsWith(`${folder}/`) ? path.relative(folder, file) : file} (remotes)`, as, remotesIn);
    }
    return;
  }
  // A file may have such a name, so the path counts as it is written, too.
  if (/[*?[{]/.test(shown)) await addMatches({ as, path: shown, named }, place);
  await hasher.add(placeOf(shown, place), shown, as, { isData: isData === true });
  if (!isDefault || shown.startsWith("/")) return;
  // Programs look for their settings in the folders above, too.
  for (let above = path.posix.dirname(path.posix.dirname(shown)); shown.includes("/"); above = path.posix.dirname(above)) {
    const file = folderAt(path.posix.basename(shown), above);
    if (file.startsWith("..")) return;
    await hasher.add(placeOf(file, place), file, as, { isData: isData === true });
    if (above === "." || above === "/") return;
  }
}

function placeOf(shown: string, { folder, temporary }: Place): string {
  if (temporary !== null && shown.startsWith("/tmp/")) return path.join(temporary, shown.slice("/tmp/".length));
  return path.resolve(folder, shown);
}

async function addMatches(
  { as, path: pattern, named }: Pick<ContentSource, "as" | "named"> & { path: string },
  place: Place,
): Promise<void> {
  const { folder, hasher } = place;
  if (pattern.startsWith("/") || pattern.startsWith("..")) return hasher.cannotFix(`The files of \`${named}\` may change.`);
  let matches = 0;
  for await (const match of glob(pattern, { cwd: folder })) {
    if (++matches > maxMatches) return hasher.cannotFix(`\`${named}\` stands for more than ${maxMatches} files; the rest may change.`);
    await hasher.add(path.resolve(folder, match), match, as);
  }
}

/** Adds the files of the folder that the hashed files name, and the files that those name. */
async function addNamed(folder: string, hasher: ContentHasher): Promise<void> {
  if (hasher.unread.length > 0) await followNames(folder, hasher);
  for (const shown of hasher.longTexts) hasher.cannotFix(`${shown} is too long to be read for the files that it names, which may change.`);
}

async function followNames(folder: string, hasher: ContentHasher): Promise<void> {
  const names = await listNames(folder);
  if (!names.isComplete) hasher.cannotFix("The folder is too large to find every file that these files name.");
  for (let depth = 0; depth < maxDepth && hasher.unread.length > 0; depth += 1) {
    for (const file of hasher.unread.splice(0)) {
      const found = findNamed(file, names);
      for (const named of [...found.files, ...found.folders]) await hasher.add(path.resolve(folder, named), named, "named");
    }
  }
  const isFollowed = hasher.unread.every((file) => findNamed(file, names).files.every((named) => hasher.has(named)));
  if (!isFollowed) hasher.cannotFix(`Files that are named more than ${maxDepth} steps away may change.`);
}
