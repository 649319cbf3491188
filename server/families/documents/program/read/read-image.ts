import type { Extracted } from "../document-task.ts";
import { startRecognition } from "./recognise-text.ts";
import { TextBudget } from "./text-budget.ts";

/** Recognises the text of a picture. */
export async function readImage(bytes: Uint8Array, maxChars: number): Promise<Extracted> {
  const recognition = await startRecognition();
  try {
    const budget = new TextBudget(maxChars);
    budget.add(await recognition.recognise(bytes));
    return { text: budget.toString(), method: "OCR", extent: "1 picture", isTruncated: budget.isTruncated, notes: [] };
  } finally {
    await recognition.close();
  }
}
