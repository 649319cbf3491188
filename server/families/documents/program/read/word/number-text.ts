/** Writes a number in a number format of Word, such as "upperRoman". */
export function numberText(value: number, format: string): string {
  switch (format) {
    case "none":
      return "";
    case "decimalZero":
      return value < 10 ? `0${value}` : String(value);
    case "lowerLetter":
      return letters(value);
    case "upperLetter":
      return letters(value).toUpperCase();
    case "lowerRoman":
      return roman(value);
    case "upperRoman":
      return roman(value).toUpperCase();
    case "ordinal":
      return `${value}${ordinalEnding(value)}`;
    case "decimalEnclosedCircle":
    case "decimalEnclosedCircleChinese":
      return value >= 1 && value <= 20 ? String.fromCodePoint(0x245f + value) : `(${value})`;
    case "chineseCounting":
    case "chineseCountingThousand":
    case "ideographDigital":
    case "japaneseCounting":
    case "taiwaneseCounting":
    case "taiwaneseCountingThousand":
      return chinese(value);
    case "russianLower":
      return value >= 1 && value <= 28 ? ([..."абвгдежзиклмнопрстуфхцчшщыэюя"][value - 1] ?? "") : String(value);
    case "numberInDash":
      return `- ${value} -`;
    default:
      return String(value);
  }
}

/** Letters repeat after z: "aa", "bb". */
function letters(value: number): string {
  if (value < 1 || value > 780) return String(value);
  return String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

const numerals: readonly [number, string][] = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];

export function roman(value: number): string {
  if (value < 1 || value > 3_999) return String(value);
  let rest = value;
  let text = "";
  for (const [worth, sign] of numerals) {
    while (rest >= worth) {
      text += sign;
      rest -= worth;
    }
  }
  return text;
}

function ordinalEnding(value: number): string {
  if (value % 100 >= 11 && value % 100 <= 13) return "th";
  return ["th", "st", "nd", "rd"][value % 10] ?? "th";
}

function chinese(value: number): string {
  if (value < 1 || value > 99) return String(value);
  const digit = (of: number) => "零一二三四五六七八九"[of] ?? "";
  if (value < 10) return digit(value);
  const tens = Math.floor(value / 10);
  return `${tens > 1 ? digit(tens) : ""}十${value % 10 > 0 ? digit(value % 10) : ""}`;
}
