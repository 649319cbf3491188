import { readXml } from "../xml-events.ts";
import type { ZipContainer } from "../zip-container.ts";
import { numberText } from "./number-text.ts";
import { isOn } from "./word-styles.ts";

type Level = { start: number; format: string; text: string; restartsAfter: number | null; isLegal: boolean };
type Definition = { levels: Map<number, Level>; styleLink: string; levelOfStyle: Map<string, number> };
type List = { definition: string; starts: Map<number, number>; levels: Map<number, Level> };

const deepest = 8;
const newLevel = (): Level => ({ start: 1, format: "decimal", text: "", restartsAfter: null, isLegal: false });

/** Counts the lists of a document and gives each item the number that Word shows. */
export class ListLabels {
  readonly #definitions = new Map<string, Definition>();
  readonly #lists = new Map<string, List>();
  readonly #counters = new Map<string, (number | undefined)[]>();
  readonly #begun = new Set<string>();
  /** Gives the list of a style, because a definition may stand in one. */
  readonly #listOfStyle: (style: string) => string | undefined;

  constructor(listOfStyle: (style: string) => string | undefined) {
    this.#listOfStyle = listOfStyle;
  }

  async read(zip: ZipContainer, part: string): Promise<void> {
    if (!zip.has(part)) return;
    let definition: Definition = { levels: new Map(), styleLink: "", levelOfStyle: new Map() };
    let list: List | null = null;
    let level = newLevel();
    let at = 0;
    await readXml(zip, part, {
      open: (name, attributes) => {
        const value = attributes["w:val"] ?? "";
        if (name === "w:abstractNum") {
          list = null;
          definition = { levels: new Map(), styleLink: "", levelOfStyle: new Map() };
          this.#definitions.set(attributes["w:abstractNumId"] ?? "", definition);
        } else if (name === "w:num") {
          list = { definition: "", starts: new Map(), levels: new Map() };
          this.#lists.set(attributes["w:numId"] ?? "", list);
        } else if (name === "w:abstractNumId" && list) list.definition = value;
        else if (name === "w:numStyleLink") definition.styleLink = value;
        else if (name === "w:lvlOverride") at = Number(attributes["w:ilvl"]) || 0;
        else if (name === "w:startOverride") list?.starts.set(at, Number(value) || 0);
        else if (name === "w:lvl") {
          at = Number(attributes["w:ilvl"]) || 0;
          level = newLevel();
          (list ?? definition).levels.set(at, level);
        } else if (name === "w:start") level.start = Number(value) || 0;
        else if (name === "w:numFmt") level.format = value;
        else if (name === "w:lvlText") level.text = value;
        else if (name === "w:lvlRestart") level.restartsAfter = Number(value) || 0;
        else if (name === "w:isLgl") level.isLegal = isOn(attributes["w:val"]);
        else if (name === "w:pStyle" && !list) definition.levelOfStyle.set(value, at);
      },
    });
  }

  /** Returns the level that a style has in its own list. */
  levelOf(listId: string, style: string | undefined): number {
    return (style && this.#definitionOf(listId)?.definition.levelOfStyle.get(style)) || 0;
  }

  /**
   * Counts one item and returns its label: "1.1", "(a)", "-" for a bullet, "" without a number; null when there is no such
   * list.
   */
  next(listId: string, asked: number): string | null {
    const found = this.#definitionOf(listId);
    if (!found) return null;
    const depth = Math.min(deepest, Math.max(0, asked));
    const levelAt = (at: number) => found.list.levels.get(at) ?? found.definition.levels.get(at) ?? newLevel();
    const counters = this.#counters.get(found.id) ?? [];
    this.#counters.set(found.id, counters);
    if (!this.#begun.has(listId)) {
      this.#begun.add(listId);
      for (const [at, start] of found.list.starts) counters[at] = start - 1;
    }
    // An item of a deeper level that was never begun counts the levels above once.
    for (let above = 0; above < depth; above += 1) counters[above] ??= levelAt(above).start;
    const level = levelAt(depth);
    counters[depth] = (counters[depth] ?? (found.list.starts.get(depth) ?? level.start) - 1) + 1;
    for (let below = depth + 1; below <= deepest; below += 1) {
      const restarts = levelAt(below).restartsAfter;
      if (restarts === null || (restarts > 0 && depth < restarts)) counters[below] = undefined;
    }
    if (level.format === "bullet") return "-";
    if (level.format === "none" && !level.text.includes("%")) return level.text.trim();
    return level.text
      .replaceAll(/%([1-9])/g, (_, digit: string) => {
        const place = Number(digit) - 1;
        const shown = levelAt(place);
        return numberText(counters[place] ?? shown.start, level.isLegal && shown.format !== "none" ? "decimal" : shown.format);
      })
      .trim();
  }

  #definitionOf(listId: string): { id: string; list: List; definition: Definition } | null {
    const list = this.#lists.get(listId);
    const definition = list ? this.#definitions.get(list.definition) : undefined;
    if (!list || !definition) return null;
    if (definition.levels.size > 0 || definition.styleLink === "") return { id: list.definition, list, definition };
    const linked = this.#lists.get(this.#listOfStyle(definition.styleLink) ?? "");
    const linkedDefinition = linked ? this.#definitions.get(linked.definition) : undefined;
    return linked && linkedDefinition
      ? { id: linked.definition, list, definition: linkedDefinition }
      : { id: list.definition, list, definition };
  }
}
