import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "@/server/platform/errors";

const folder = path.join(/* turbopackIgnore: true */ process.cwd(), "docs");

/** The comment on a document's first line says what it is about. */
const aboutLine = /^<!-- (.+) -->\s+/;

/** Lists Handrail's own documents by name, each with what it is about. */
export async function listDocuments(): Promise<[name: string, about: string][]> {
  const list = (await documentNames()).map(async (name): Promise<[string, string]> => {
    const [, about = ""] = aboutLine.exec(await readFile(fileOf(name), "utf8")) ?? [];
    return [name, about];
  });
  return Promise.all(list);
}

/** Reads a document. Names come from the folder, so that no name of a model becomes a path. @throws AppError `not_found` */
export async function readDocument(asked: string): Promise<string> {
  const name = asked
    .trim()
    .replace(/^docs\//, "")
    .replace(/\.md$/, "");
  const names = await documentNames();
  if (!names.includes(name)) {
    throw new AppError("not_found", `There is no document ${asked.slice(0, 100)}. The documents are ${names.join(", ")}.`);
  }
  return (await readFile(fileOf(name), "utf8")).replace(aboutLine, "");
}

/** Decisions are not among them: they say how Handrail came to be, not how it works. */
async function documentNames(): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  return files
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => file.endsWith(".md") && !file.startsWith("decisions/"))
    .map((file) => file.slice(0, -".md".length))
    .sort();
}

const fileOf = (name: string): string => path.join(folder, `${name}.md`);
