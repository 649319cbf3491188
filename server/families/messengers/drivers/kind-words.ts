import type { Json } from "@/contracts/common";
import { plainLine } from "../text/plain-line";
import { textIn } from "./read-members";

const maxDetailChars = 200;

/** Plain words for a message that is no text and no file, such as `[sticker 👍]` or `[contact Ann, +49 151 1]`. */
export function kindWords(kind: string, ...details: readonly string[]): string {
  const told = details.map((detail) => plainLine(detail, maxDetailChars)).filter(Boolean);
  return `[${[kind, told.join(", ")].filter(Boolean).join(" ")}]`;
}

export const coordinatesOf = (location: Json): string[] => [textIn(location, "latitude"), textIn(location, "longitude")];

/** For a message of which the platform tells only that there is one. */
export const unreadableWords = (platform: string): string => kindWords(`message of a kind that ${platform} does not pass on`);
