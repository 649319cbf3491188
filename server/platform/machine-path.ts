import path from "node:path";

/**
 * Returns the folders of a PATH that belong to the machine. Drops folders of the checkout (Handrail's packages and its
 * Node) and folders that npm prepends (`node_modules/.bin` of every parent folder, and one for node-gyp).
 */
export function machinePath(ours: string): string[] {
  const own = process.cwd();
  const isOwn = (folder: string) => path.resolve(folder) === own || path.resolve(folder).startsWith(`${own}/`);
  const isOfNpm = (folder: string) => /(^|\/)node_modules\/(\.bin|npm\/|@npmcli\/)/.test(folder);
  return ours.split(path.delimiter).filter((folder) => folder !== "" && !isOwn(folder) && !isOfNpm(folder));
}
