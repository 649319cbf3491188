import { FlowText } from "../flow-text.ts";
import { readAddresses } from "../office/relations.ts";
import { TextBudget } from "../text-budget.ts";
import { type Attributes, readXml } from "../xml-events.ts";
import type { ZipContainer } from "../zip-container.ts";
import { roman } from "./number-text.ts";
import { type WordContext, WordFlow } from "./word-flow.ts";

export type Note = { id: string; attributes: Attributes; text: string; paragraph: string };
type Kind = "footnote" | "endnote" | "comment";

const maxNoteChars = 50_000;

/** Reads the notes or comments of a part, each as text. */
export async function readNotes(
  zip: ZipContainer,
  part: string | undefined,
  element: string,
  context: WordContext,
): Promise<Map<string, Note>> {
  const notes = new Map<string, Note>();
  if (!part || !zip.has(part)) return notes;
  const writer = new WordFlow(new FlowText(new TextBudget(maxNoteChars)), context, await readAddresses(zip, part));
  let note: Note | null = null;
  let budget = new TextBudget(maxNoteChars);
  await readXml(zip, part, {
    open: (name, attributes) => {
      if (name === element) {
        // Separators stand among the notes.
        const isSeparator = /separator/i.test(attributes["w:type"] ?? "");
        note = isSeparator ? null : { id: attributes["w:id"] ?? "", attributes, text: "", paragraph: "" };
        budget = new TextBudget(maxNoteChars);
        writer.flow = new FlowText(budget);
      } else {
        if (note && name === "w:p" && attributes["w14:paraId"]) note.paragraph = attributes["w14:paraId"];
        writer.open(name, attributes);
      }
    },
    close: (name) => {
      if (name !== element) {
        writer.close(name);
        return;
      }
      writer.end();
      if (note) notes.set(note.id, { ...note, text: budget.toString().replaceAll(/\n+/g, "\n  ") });
      note = null;
    },
    text: (text) => writer.text(text),
  });
  return notes;
}

/** Gives notes their marks in the order in which the text names them. */
export class NoteMarks {
  readonly #marks: Readonly<Record<Kind, Map<string, string>>> = { footnote: new Map(), endnote: new Map(), comment: new Map() };

  mark(kind: Kind, id: string, ownMark?: string): string {
    const marks = this.#marks[kind];
    const number = marks.size + 1;
    const known = marks.get(id);
    const label = known ?? (ownMark || (kind === "comment" ? `comment ${number}` : kind === "endnote" ? roman(number) : String(number)));
    marks.set(id, label);
    return kind === "comment" ? `[${label}]` : `[^${label}]`;
  }

  /** Returns the ids in the order of the text, then those that the text does not name. */
  inOrder(kind: Kind, notes: ReadonlyMap<string, Note>): { label: string; note: Note }[] {
    for (const id of notes.keys()) if (kind === "comment") this.mark(kind, id);
    return [...this.#marks[kind]].flatMap(([id, label]) => {
      const note = notes.get(id);
      return note ? [{ label, note }] : [];
    });
  }
}

/** Answers and their state, by the paragraph that a comment ends with. */
export async function commentThreads(
  zip: ZipContainer,
  part: string | undefined,
): Promise<Map<string, { parent: string; isDone: boolean }>> {
  const threads = new Map<string, { parent: string; isDone: boolean }>();
  if (!part || !zip.has(part)) return threads;
  await readXml(zip, part, {
    open: (name, attributes) => {
      if (name !== "w15:commentEx") return;
      threads.set(attributes["w15:paraId"] ?? "", { parent: attributes["w15:paraIdParent"] ?? "", isDone: attributes["w15:done"] === "1" });
    },
  });
  return threads;
}
