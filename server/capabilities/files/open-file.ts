import "server-only";
import { type FileHandle, open } from "node:fs/promises";
import { AppError } from "@/server/platform/errors";
import { missingFile, notAFile, type Place } from "../workspace-path";
import { assertFile, safely } from "./stage-file";

export type OpenedFile = FileHandle;

/** Opens the file at a place. @throws AppError `not_found` for a missing file, `invalid` for anything else than a file. */
export async function openFile(place: Place, path: string, flags: number): Promise<OpenedFile> {
  if (!place.stats) throw missing(path);
  assertFile(place, path);
  const file = await open(place.folder.at(place.name), flags | safely);
  const stats = await file.stat();
  if (stats.isFile()) return file;
  await file.close();
  throw notAFile(path);
}

export function missing(path: string): AppError {
  return new AppError("not_found", `There is no ${path} in the workspace. ${missingFile.text()}`.trimEnd());
}
