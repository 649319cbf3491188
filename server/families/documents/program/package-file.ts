import { existsSync } from "node:fs";
import path from "node:path";

/** The only folder of packages that this process may read. */
export const packagesFolder = path.join(import.meta.dirname, "../../../../node_modules");

/** Returns the absolute path of a file in an installed package; null when it is not installed. */
export function packageFile(packageName: string, file: string): string | null {
  // Packages of fonts export no files, so a file is looked up by its path.
  const found = path.join(packagesFolder, packageName, file);
  return existsSync(found) ? found : null;
}
