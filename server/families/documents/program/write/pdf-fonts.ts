import { type Font, openSync } from "fontkit";
import { DocumentError } from "../document-error.ts";
import { packageFile } from "../package-file.ts";

type Family = { normal: string; bold: string; italics: string; bolditalics: string };
type Style = { mono?: boolean; bold?: boolean; italic?: boolean };
export type FontPiece = { text: string; font: string; bold?: boolean; italics?: boolean };

/** Splits text into pieces that one font can show. */
export type FontRuns = {
  split: (text: string, style: Style) => FontPiece[];
  plain: (text: string, bold?: boolean) => FontPiece[];
  /** Characters that no installed font has. */
  missing: () => string[];
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

/** Creates the splitter. A font is opened at the first character that the fonts before it lack. */
export function fontRuns(): FontRuns {
  const files = fontFiles();
  const opened = new Map<string, Font>();
  const known = new Map<string, string>();
  const lacking = new Set<string>();
  const has = (family: string, code: number): boolean => {
    let font = opened.get(family);
    if (!font) {
      font = openSync(files[family]?.normal ?? "") as Font;
      opened.set(family, font);
    }
    return font.hasGlyphForCodePoint(code);
  };
  const familyOf = (sign: string, first: string): string => {
    const key = `${first}${sign}`;
    const found = known.get(key);
    if (found) return found;
    const code = sign.codePointAt(0) ?? 0;
    const families = [first, "Chinese", "Korean", "Symbols"].filter((name) => Object.hasOwn(files, name));
    // Joiners and variation selectors have no shape of their own.
    const isInvisible = /\s|\p{Cf}|\p{Variation_Selector}/u.test(sign);
    const family = isInvisible ? first : families.find((name) => has(name, code));
    if (!family) lacking.add(sign);
    known.set(key, family ?? first);
    return family ?? first;
  };
  const split = (text: string, { mono = false, bold = false, italic = false }: Style): FontPiece[] => {
    const first = mono ? "Mono" : "Latin";
    const pieces: FontPiece[] = [];
    for (const sign of text) {
      const current = pieces.at(-1);
      // A space stays with its neighbour, so that a line can break there.
      const font = sign === " " && current ? current.font : familyOf(sign, first);
      if (current?.font === font) current.text += sign;
      else pieces.push({ text: sign, font, ...(bold ? { bold } : {}), ...(italic ? { italics: true } : {}) });
    }
    return pieces;
  };
  return { split, plain: (text, bold = false) => split(text, { bold }), missing: () => [...lacking] };
}
