import "server-only";
import { realpathSync } from "node:fs";
import path from "node:path";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";

/** Folders of the kernel, whose paths mean something else in every process. */
export const kernelFolders = ["/proc", "/sys", "/dev"];

/** Returns the real paths of Handrail's own folders and files, which no command sees, whatever its openings. */
export function ownPaths(): string[] {
  const { dataDir, workspaceRoot, blobs, policyFile, sandbox } = env();
  const given = [
    dataDir,
    workspaceRoot,
    process.cwd(),
    sandbox.outsideHome,
    ...(blobs.kind === "folder" ? [blobs.folder] : []),
    ...(policyFile ? [policyFile] : []),
  ];
  const real = given.flatMap((file) => [path.resolve(file), realPathOf(file)]).filter((file) => file !== "/");
  return [...new Set(real)];
}

/**
 * Throws unless a path outside the conversation's folder may be opened.
 * @param realPath path with every link resolved
 * @throws AppError `forbidden`
 */
export function assertOpenable(realPath: string, own: readonly string[]): void {
  if (own.some((folder) => isWithin(realPath, folder))) {
    throw new AppError(
      "forbidden",
      `${realPath} belongs to Handrail itself, so commands cannot open it. Use a path outside of Handrail's folders.`,
    );
  }
  if (realPath === "/" || kernelFolders.some((folder) => isWithin(realPath, folder))) {
    throw new AppError("forbidden", `${realPath} cannot be opened for a command in the sandbox. Name the folder that the command needs.`);
  }
}

/** Returns true when a path is the folder or lies in it; both absolute and without `..`. */
export function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder === "/" ? "/" : `${folder}/`);
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}
