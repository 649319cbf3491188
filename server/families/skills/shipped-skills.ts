import "server-only";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { processWide } from "@/server/platform/process-wide";
import { type FoundSkill, splitPackage } from "./packages/package-files";

const folder = path.join(/* turbopackIgnore: true */ process.cwd(), "server", "families", "skills", "shipped");

/** Returns the skills that come with Handrail, read once. */
export const shippedSkills = (): Promise<readonly FoundSkill[]> => processWide("skills.shipped", () => readShipped());

async function readShipped(): Promise<FoundSkill[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  const contents = await Promise.all(
    files.map(async (file) => [path.relative(folder, file).split(path.sep).join("/"), await readFile(file)] as const),
  );
  return splitPackage(new Map(contents));
}
