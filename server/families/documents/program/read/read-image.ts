import type { Extracted } from "../document-task.ts";
import { startRecognition } from "./recognise-text.ts";
import { RecognisedPages } from "./recognised-pages.ts";
import { TextBudget } from "./text-budget.ts";

/** Recognises the text of a picture. */
export async function readImage(bytes: Uint8Array, maxChars: number, language?: string): Promise<Extracted> {
  const recognition = await startRecognition(language);
  try {
    const budget = new TextBudget(maxChars);
    const pages = new RecognisedPages(() => recognition.languages);
    budget.add(pages.add(1, await recognition.recognise(bytes)));
    const notes = pages.notes("Picture");
    return { text: budget.toString(), method: pages.method(), extent: "1 picture", isTruncated: budget.isTruncated, notes };
  } finally {
    await recognition.close();
  }
}
