import { readXml } from "../xml-events.ts";
import type { ZipContainer } from "../zip-container.ts";

/** The properties that change the meaning of a run's text. Absent: as the style has it. */
export type Look = { isHidden?: boolean; isStruck?: boolean; rise?: "super" | "sub" | "base"; font?: string };
export type WordStyle = { heading: number; list: { id?: string; level?: number }; look: Look };

type Written = WordStyle & { basedOn: string };

const maxChainLength = 20;

/** The styles of a document, each with what it takes over from others. */
export class WordStyles {
  readonly #written: ReadonlyMap<string, Written>;
  readonly #resolved = new Map<string, WordStyle>();
  readonly #usual: string;

  constructor(written: ReadonlyMap<string, Written>, usual: string) {
    this.#written = written;
    this.#usual = usual;
  }

  /** @param id absent for the style of paragraphs that name none */
  of(id: string | undefined): WordStyle {
    const name = id ?? this.#usual;
    const known = this.#resolved.get(name);
    if (known) return known;
    const style: WordStyle = { heading: 0, list: {}, look: {} };
    let at = this.#written.get(name);
    for (let step = 0; at && step < maxChainLength; step += 1) {
      style.heading ||= at.heading;
      style.list = { ...at.list, ...style.list };
      style.look = { ...at.look, ...style.look };
      at = this.#written.get(at.basedOn);
    }
    this.#resolved.set(name, style);
    return style;
  }
}

export async function readStyles(zip: ZipContainer, part: string): Promise<WordStyles> {
  const styles = new Map<string, Written>();
  let usual = "";
  if (!zip.has(part)) return new WordStyles(styles, usual);
  let style: Written = { heading: 0, list: {}, look: {}, basedOn: "" };
  let isInStyle = false;
  await readXml(zip, part, {
    open: (name, attributes) => {
      const value = attributes["w:val"] ?? "";
      if (name === "w:style") {
        isInStyle = true;
        style = { heading: 0, list: {}, look: {}, basedOn: "" };
        const id = attributes["w:styleId"] ?? "";
        styles.set(id, style);
        if (attributes["w:type"] === "paragraph" && isOn(attributes["w:default"] ?? "0")) usual = id;
      }
      if (!isInStyle) return;
      if (name === "w:basedOn") style.basedOn = value;
      else if (name === "w:name" && value.toLowerCase() === "title") style.heading = 1;
      else if (name === "w:name") style.heading = Number(/^heading ([1-6])$/i.exec(value)?.[1]) || style.heading;
      else if (name === "w:outlineLvl" && Number(value) < 6) style.heading ||= Number(value) + 1;
      else if (name === "w:numId") style.list.id = value;
      else if (name === "w:ilvl") style.list.level = Number(value) || 0;
      else addLook(style.look, name, attributes);
    },
    close: (name) => {
      if (name === "w:style") isInStyle = false;
    },
  });
  return new WordStyles(styles, usual);
}

/** Adds one property of a run to what is known of its look. */
export function addLook(look: Look, name: string, attributes: Readonly<Record<string, string>>): void {
  const value = attributes["w:val"];
  if (name === "w:vanish") look.isHidden = isOn(value);
  else if (name === "w:strike" || name === "w:dstrike") look.isStruck = isOn(value);
  else if (name === "w:vertAlign") look.rise = value === "superscript" ? "super" : value === "subscript" ? "sub" : "base";
  else if (name === "w:rFonts" && attributes["w:ascii"]) look.font = attributes["w:ascii"];
}

/** A property without a value is on. */
export const isOn = (value: string | undefined): boolean => value === undefined || !["0", "false", "off"].includes(value);
