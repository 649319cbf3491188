import { readFileSync } from "node:fs";
import { packageFile } from "../package-file.ts";
import type { Drawing } from "./drawing.ts";

// No literal, because the compiler's target has no sets of signs yet.
const anyEmoji = String.raw`\p{RGI_Emoji}`;
/** Every emoji as one match, also those of several signs. */
export const emojiForm = new RegExp(anyEmoji, "gv");

type Icons = { icons: Record<string, { body: string }>; aliases?: Record<string, { parent: string }> };
type Opened = { names: Record<string, string>; icons: Icons };

const side = 128;
let opened: Opened | null | undefined;

function open(): Opened | null {
  if (opened !== undefined) return opened;
  const files = ["chars.json", "icons.json"].map((name) => packageFile("@iconify-json/noto", name));
  const [names, icons] = files.map((file) => (file ? (JSON.parse(readFileSync(file, "utf8")) as unknown) : null));
  opened = names && icons ? { names: names as Opened["names"], icons: icons as Icons } : null;
  return opened;
}

/** Returns the emoji of Noto as outlines; null for one that the set lacks, such as flags of countries. */
export function drawEmoji(emoji: string): Drawing | null {
  const set = open();
  if (!set) return null;
  // The set names emoji without their variation selectors, and codes with four digits at least.
  const codes = [...emoji].map((sign) => (sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")).filter((code) => code !== "fe0f");
  const name = Object.hasOwn(set.names, codes.join("-")) ? set.names[codes.join("-")] : undefined;
  const icon = name ? (set.icons.icons[name] ?? set.icons.icons[set.icons.aliases?.[name]?.parent ?? ""]) : undefined;
  if (!icon) return null;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">${icon.body}</svg>`;
  return { svg, width: 1.2, ascent: 0.95, descent: 0.25 };
}

/** Writes an emoji that has no picture in signs of text: the letters of a flag's country, the digit of a key. */
export const emojiLetters = (emoji: string): string =>
  emoji
    .replaceAll(/[\u{1f1e6}-\u{1f1ff}]/gu, (sign) => String.fromCharCode((sign.codePointAt(0) ?? 0) - 0x1f1e6 + 0x41))
    .replaceAll(/[\ufe0f\u20e3\u{e0020}-\u{e007f}]/gu, "");
