import "server-only";
import { maxKeptBytes } from "@/server/capabilities/files/change-journal";
import { CopiesStore } from "./copies-store";
import { findNamedFiles } from "./find-files";
import { type CopiedFolder, isInRepository, isOfOthers, maxCopiedBytes, maxCopiedFiles, type NamedPath } from "./keep-file-copies";

/**
 * Finds the paths of a command with files that the conversation did not make and of which no copy can be kept, because they are
 * too large, too many, or a repository.
 */
export async function findUncopyable(
  { conversationId, root, isSensitive, isSkipped }: Omit<CopiedFolder, "callId">,
  named: readonly NamedPath[],
): Promise<string[]> {
  if (named.length === 0) return [];
  const store = new CopiesStore(conversationId, root);
  const [manifest, lastEnd] = await Promise.all([store.readManifest(), store.lastEnd()]);
  const known = new Map(manifest.files.map((file) => [file.path, file]));
  const uncopyable: string[] = [];
  let bytes = 0;
  let count = 0;
  for (const { path, isDeep } of named) {
    const isOthersRepository = (folder: string) => lastEnd === null || manifest.repositories.includes(folder);
    if (isInRepository(path)) {
      if (isDeep && isOthersRepository(path.slice(0, path.search(/(?<=(?:^|\/)\.git)\//)))) uncopyable.push(path);
      continue;
    }
    const found = await findNamedFiles({ root, isSkipped, maxFiles: maxCopiedFiles }, path, isDeep);
    const files = found.files.filter((file) => !isSensitive(file.path) && isOfOthers(file, manifest, known, lastEnd ?? 0));
    bytes += files.reduce((sum, { stats }) => sum + stats.size, 0);
    count += files.length;
    const isOver = bytes > maxCopiedBytes || count > maxCopiedFiles || files.some(({ stats }) => stats.size > maxKeptBytes);
    if (isOver || found.repositories.some(isOthersRepository)) uncopyable.push(path);
  }
  return uncopyable;
}
