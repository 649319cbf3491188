import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const files: Readonly<Record<string, string>> = {
  "a.txt": "KEY\n",
  list: "../x\n",
  "sub/b.txt": "b\n",
  ".env": "KEY=inside\n",
  ".env.local": "KEY=inside\n",
  ".ssh/id_rsa": "KEY inside\n",
};

/** A folder of a conversation in which files with secrets and links lie, so that the guard can look at it. */
export function layOutFolder(links: Readonly<Record<string, string>>): { folder: string; remove: () => void } {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "guard-measure-")));
  const folder = path.join(root, "conversations", "one");
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  for (const [name, text] of Object.entries(files)) write(path.join(folder, name), text);
  write(path.join(root, "conversations", "other", ".env"), "KEY=canary\n");
  write(path.join(root, "conversations", "secret-key"), "KEY-canary\n");
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(folder, name));
  return { folder, remove: () => rmSync(root, { recursive: true, force: true }) };
}
