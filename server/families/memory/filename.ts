import { AppError } from "@/server/platform/errors";

/** Files that the prompt may hold, in the order in which they stand there. */
export const coreFiles = ["AGENTS.md", "SOUL.md", "PROFILE.md", "MEMORY.md"] as const;
const dailyPattern = /^memory\/\d{4}-\d{2}-\d{2}\.md$/;
const segmentPattern = /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u;
const maxCharacters = 200;

/** Returns whether a file is a note of one day: those are searched, and never stand in the prompt. */
export const isDailyNote = (filename: string): boolean => dailyPattern.test(filename);

/**
 * Checks the name of a memory file. Names are keys of rows and no paths of the machine.
 * @throws AppError `invalid`
 */
export function assertFilename(given: string): string {
  const filename = given.trim().normalize("NFC");
  if (filename.length > maxCharacters) throw new AppError("invalid", "filename: at most 200 characters.");
  if (filename.startsWith("/") || filename.includes("\\") || /^[a-z]:/i.test(filename) || filename.split("/").includes("..")) {
    throw new AppError("invalid", "filename must be a relative logical path inside the workspace, without an absolute path or ..");
  }
  if (!/\.md$/i.test(filename)) throw new AppError("invalid", "Only Markdown workspace files are supported: end the filename with .md.");
  if (!filename.split("/").every((segment) => segmentPattern.test(segment))) {
    throw new AppError("invalid", "filename: use letters, digits, spaces, dots, dashes and underscores in each part of the path.");
  }
  return filename;
}
