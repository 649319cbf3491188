import { AppError } from "@/server/platform/errors";
import { revealNothing } from "./plain-text";

const maxCharacters = 300;

/**
 * Checks the name of a source, which may have folders: `guides/travel.md`. A name is a key of rows and no path of the machine.
 * @throws AppError `invalid`
 */
export function assertSourceName(given: string): string {
  const name = given.trim().normalize("NFC");
  const refuse = (message: string): never => {
    throw new AppError("invalid", `name: ${message}`, { errors: [{ path: "name", message }] });
  };
  if (name === "" || name.length > maxCharacters) refuse("needs 1 to 300 characters");
  if (name.startsWith("/") || name.includes("\\") || /^[a-z]:/i.test(name))
    refuse(`${shown(name)} must be a relative name such as guides/travel.md`);
  if (name.split("/").some((part) => part === ".." || part === "." || part === ""))
    refuse(`${shown(name)} must not have .., . or empty folders`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what a name must not hold
  if (/[\u0000-\u001f\u007f]/.test(name) || revealNothing(name) !== name) refuse("must not hold control or hidden characters");
  return name;
}

const shown = (name: string): string => `"${revealNothing(name).slice(0, 100)}"`;
