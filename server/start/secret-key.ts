import "server-only";
import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { StartError } from "@/db/start-error";

const keyFile = (dataDir: string) => path.join(dataDir, "secret-key");

/** Removes a key that this start made and that must not be used. */
export const removeSecretKey = (dataDir: string): Promise<void> => rm(keyFile(dataDir), { force: true });

/**
 * Returns the key that seals secrets when HANDRAIL_SECRET_KEY is not set. The first start makes the key and keeps it in
 * the data folder, readable by its owner only.
 * @throws StartError when the file does not hold a usable key
 */
export async function readOrMakeSecretKey(dataDir: string): Promise<{ key: string; isNew: boolean }> {
  const file = keyFile(dataDir);
  const made = randomBytes(32).toString("base64");
  const unfinished = `${file}-${process.pid}`;
  try {
    // Written completely under another name and then linked: no reader finds half a key, and of two processes that start
    // at once, the first link wins.
    await writeFile(unfinished, `${made}\n`, { mode: 0o600, flush: true });
    await link(unfinished, file);
    return { key: made, isNew: true };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
      throw new StartError(
        `The secret key cannot be kept in ${file} (${error instanceof Error ? error.message : error}): set HANDRAIL_SECRET_KEY.`,
      );
    }
  } finally {
    await rm(unfinished, { force: true });
  }
  const key = await readFile(file, "utf8").then(
    (text) => text.trim(),
    () => "",
  );
  if (key.length < 32) {
    throw new StartError(`${file} does not hold a key of 32 characters or more: put it back from your backup, or set HANDRAIL_SECRET_KEY.`);
  }
  return { key, isNew: false };
}
