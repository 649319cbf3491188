import { AppError } from "@/server/platform/errors";

/** The file that makes a folder a skill. */
export const mainFile = "SKILL.md";
const maxCharacters = 300;

/**
 * Checks the path of a file in a skill: relative, with `/`, and without a way out of the skill's folder.
 * @throws AppError `invalid`
 */
export function assertSkillPath(given: string): string {
  const path = given.normalize("NFC").replace(/^(?:\.\/)+/, "");
  const refuse = (why: string) => new AppError("invalid", `path: ${JSON.stringify(given.slice(0, 120))} ${why}`);
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) throw refuse("is absolute. Name a file inside the skill, such as scripts/run.py.");
  if (path.includes("\\")) throw refuse("has a backslash. Separate folders with /.");
  const parts = path.split("/");
  if (parts.includes("..")) throw refuse("leads out of the skill with .. . Name a file inside the skill.");
  if (path === "" || parts.some((part) => part === "" || part === "."))
    throw refuse("has an empty part. Name a file, such as scripts/run.py.");
  if (path.length > maxCharacters || parts.some((part) => Buffer.byteLength(part) > 200))
    throw refuse("is too long. Use at most 300 characters.");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\u0000-\u001f\u007f]/.test(path) || !path.isWellFormed()) throw refuse("has a control character. Rename the file.");
  return path;
}
