import { type Font, openSync } from "fontkit";
import { DocumentError } from "../document-error.ts";
import { packageFile } from "../package-file.ts";
import type { Drawing } from "./drawing.ts";
import { drawEmoji, emojiForm, emojiLetters } from "./emoji.ts";

type Family = { normal: string; bold: string; italics: string; bolditalics: string };
type Style = { mono?: boolean; bold?: boolean; italic?: boolean };
/** `drawing` takes the place of the text, which then only tells where a line can break; `drawn` is the text that it shows. */
export type FontPiece = { text: string; font: string; bold?: boolean; italics?: boolean; drawing?: Drawing; drawn?: string };

/** A piece of text as pdfmake takes it. */
export type PdfText = FontPiece & {
  /** Text behind a drawing. */
  hidden?: FontPiece[];
  background?: string;
  decoration?: "lineThrough" | "underline";
  sup?: boolean;
  sub?: boolean;
  link?: string;
  linkToDestination?: string;
  color?: string;
  isRightToLeft?: boolean;
};

/** Splits text into pieces that one font can show. */
export type FontRuns = {
  split: (text: string, style: Style) => FontPiece[];
  plain: (text: string, bold?: boolean) => FontPiece[];
  /** Leaves out the characters that no font has. */
  known: (text: string) => FontPiece[];
  /** Characters that no installed font has. */
  missing: () => string[];
  /** Emoji without a picture, each with the letters in its place. */
  spelled: () => string[];
};

const latin = (style: string) => file("@embedpdf/fonts-latin", `fonts/NotoSans-${style}.ttf`);
const chinese = (weight: string, name: string) => file("@expo-google-fonts/noto-sans-sc", `${weight}/NotoSansSC_${weight}.ttf`, name);
const korean = (weight: string) => packageFile("@expo-google-fonts/noto-sans-kr", `${weight}/NotoSansKR_${weight}.ttf`);
const dejavu = (name: string) => file("dejavu-fonts-ttf", `ttf/${name}.ttf`);

function file(packageName: string, path: string, name = packageName): string {
  const found = packageFile(packageName, path);
  if (!found) throw new DocumentError("unavailable", `The font package ${name} is not installed. Ask an admin to run npm install.`);
  return found;
}

/** The Korean fonts; null where their optional package is not installed. */
function koreanFamily(): Family | null {
  const [regular, bold] = [korean("400Regular"), korean("700Bold")];
  return regular && bold ? { normal: regular, bold, italics: regular, bolditalics: bold } : null;
}

/** The font families, in the order in which they are tried for a character. */
export function fontFiles(): Record<string, Family> {
  const [regular, bold] = [chinese("400Regular", "@expo-google-fonts/noto-sans-sc"), chinese("700Bold", "@expo-google-fonts/noto-sans-sc")];
  const hangul = koreanFamily();
  return {
    Latin: { normal: latin("Regular"), bold: latin("Bold"), italics: latin("Italic"), bolditalics: latin("BoldItalic") },
    Mono: {
      normal: dejavu("DejaVuSansMono"),
      bold: dejavu("DejaVuSansMono-Bold"),
      italics: dejavu("DejaVuSansMono-Oblique"),
      bolditalics: dejavu("DejaVuSansMono-BoldOblique"),
    },
    Chinese: { normal: regular, bold, italics: regular, bolditalics: bold },
    ...(hangul ? { Korean: hangul } : {}),
    Symbols: {
      normal: dejavu("DejaVuSans"),
      bold: dejavu("DejaVuSans-Bold"),
      italics: dejavu("DejaVuSans-Oblique"),
      bolditalics: dejavu("DejaVuSans-BoldOblique"),
    },
  };
}

/** An ideograph: a line can break beside it, as beside an emoji. */
const emojiStandIn = "\u4e00";

/** Creates the splitter. A font is opened at the first character that the fonts before it lack. */
export function fontRuns(): FontRuns {
  const files = fontFiles();
  const opened = new Map<string, Font>();
  const known = new Map<string, string | undefined>();
  const lacking = new Set<string>();
  const spelled = new Set<string>();
  const has = (family: string, code: number): boolean => {
    let font = opened.get(family);
    if (!font) {
      font = openSync(files[family]?.normal ?? "") as Font;
      opened.set(family, font);
    }
    return font.hasGlyphForCodePoint(code);
  };
  const familyOf = (sign: string, first: string): string | undefined => {
    const key = `${first}${sign}`;
    if (known.has(key)) return known.get(key);
    const code = sign.codePointAt(0) ?? 0;
    const families = [first, "Chinese", "Korean", "Symbols"].filter((name) => Object.hasOwn(files, name));
    // Joiners and variation selectors have no shape of their own.
    const isInvisible = /\s|\p{Cf}|\p{Variation_Selector}/u.test(sign);
    const family = isInvisible ? first : families.find((name) => has(name, code));
    known.set(key, family);
    return family;
  };
  const split = (text: string, style: Style): FontPiece[] => {
    const pieces: FontPiece[] = [];
    let from = 0;
    for (const { 0: emoji, index } of text.matchAll(emojiForm)) {
      const drawing = drawEmoji(emoji);
      const letters = emojiLetters(emoji);
      pieces.push(...splitText(text.slice(from, index), style));
      if (drawing) pieces.push({ text: emojiStandIn, font: "Chinese", drawing, drawn: emoji });
      else {
        pieces.push(...splitText(letters, style));
        if (letters !== emoji) spelled.add(`${emoji} (${letters})`);
      }
      from = index + emoji.length;
    }
    return [...pieces, ...splitText(text.slice(from), style)];
  };
  const splitText = (text: string, { mono = false, bold = false, italic = false }: Style): FontPiece[] => {
    const first = mono ? "Mono" : "Latin";
    const pieces: FontPiece[] = [];
    for (const sign of text) {
      const current = pieces.at(-1);
      // A space stays with its neighbour, so that a line can break there.
      const family = sign === " " && current ? current.font : familyOf(sign, first);
      if (!family) lacking.add(sign);
      const font = family ?? first;
      if (current?.font === font) current.text += sign;
      else pieces.push({ text: sign, font, ...(bold ? { bold } : {}), ...(italic ? { italics: true } : {}) });
    }
    return pieces;
  };
  return {
    split,
    plain: (text, bold = false) => split(text, { bold }),
    known: (text) => splitText([...text].filter((sign) => familyOf(sign, "Latin")).join(""), {}),
    missing: () => [...lacking],
    spelled: () => [...spelled],
  };
}
