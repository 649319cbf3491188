/** Signs of the fonts that have pictures in place of letters, by their place in the font. */
const wingdings: Readonly<Record<number, string>> = {
  33: "✏",
  34: "✂",
  40: "☎",
  42: "✉",
  54: "⌛",
  62: "✇",
  63: "✍",
  65: "✌",
  67: "👍",
  68: "👎",
  69: "☜",
  70: "☞",
  71: "☝",
  72: "☟",
  74: "☺",
  75: "😐",
  76: "☹",
  82: "☼",
  108: "●",
  109: "❍",
  110: "■",
  111: "☐",
  112: "☐",
  113: "❑",
  114: "❒",
  116: "⧫",
  117: "◆",
  118: "❖",
  119: "⬥",
  120: "☒",
  159: "•",
  161: "○",
  162: "◯",
  164: "◉",
  167: "▪",
  168: "☐",
  171: "★",
  216: "➢",
  223: "←",
  224: "→",
  225: "↑",
  226: "↓",
  232: "➔",
  239: "⇦",
  240: "⇨",
  241: "⇧",
  242: "⇩",
  251: "✗",
  252: "✓",
  253: "☒",
  254: "☑",
};
const wingdings2: Readonly<Record<number, string>> = { 79: "✗", 80: "✓", 81: "☒", 82: "☑", 83: "☒", 84: "☒", 163: "☐", 152: "●" };
const greek = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
const capitals = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
const symbol: Readonly<Record<number, string>> = {
  34: "∀",
  36: "∃",
  39: "∋",
  42: "∗",
  45: "−",
  64: "≅",
  92: "∴",
  94: "⊥",
  126: "∼",
  162: "′",
  163: "≤",
  164: "⁄",
  165: "∞",
  171: "↔",
  172: "←",
  173: "↑",
  174: "→",
  175: "↓",
  176: "°",
  177: "±",
  178: "″",
  179: "≥",
  180: "×",
  181: "∝",
  182: "∂",
  183: "•",
  184: "÷",
  185: "≠",
  186: "≡",
  187: "≈",
  188: "…",
  197: "⊕",
  198: "∅",
  199: "∩",
  200: "∪",
  201: "⊃",
  204: "⊂",
  206: "∈",
  207: "∉",
  208: "∠",
  209: "∇",
  210: "®",
  211: "©",
  212: "™",
  213: "∏",
  214: "√",
  215: "⋅",
  216: "¬",
  217: "∧",
  218: "∨",
  219: "⇔",
  220: "⇐",
  222: "⇒",
  229: "∑",
  242: "∫",
};

/** Returns the sign that a symbol font shows for a code, with a name in brackets when it is not known. */
export function symbolText(font: string, code: number): string {
  const place = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  const name = font.toLowerCase();
  const fonts: Readonly<Record<string, Readonly<Record<number, string>>>> = { wingdings, "wingdings 2": wingdings2, symbol };
  const table = Object.hasOwn(fonts, name) ? fonts[name] : undefined;
  if (table?.[place]) return table[place];
  if (name === "symbol") {
    if (place >= 0x61 && place <= 0x7a) return greek[place - 0x61] ?? "";
    if (place >= 0x41 && place <= 0x5a) return capitals[place - 0x41] ?? "";
    if (place >= 0x20 && place < 0x7f) return String.fromCharCode(place);
  }
  // Outside of the private area the sign is Unicode.
  if (!table && (code < 0xf000 || code > 0xf0ff)) return String.fromCodePoint(code);
  return `[symbol ${place.toString(16)} of ${font.slice(0, 40) || "an unknown font"}]`;
}

/** Replaces the private signs that a symbol font uses in ordinary text. */
export const withSymbols = (text: string, font: string): string =>
  /[\uf000-\uf0ff]/.test(text) ? text.replaceAll(/[\uf000-\uf0ff]/g, (sign) => symbolText(font, sign.charCodeAt(0))) : text;
