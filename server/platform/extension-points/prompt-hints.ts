import { processWide } from "../process-wide";

/** A situation in which a model is told which tool helps. The room defines it that tells the model. */
export type PromptHint = {
  name: string;
  /** Returns the sentence; empty when no family provided one. */
  text: () => string;
};

/** A situation with the sentence of the family whose tool helps. */
export type ProvidedHint = readonly [hint: PromptHint, text: string];

const registry = () => processWide("promptHints", () => ({ texts: new Map<string, string>() }));

/** Defines a situation by a name that no other room uses. */
export function definePromptHint(name: string): PromptHint {
  return { name, text: () => registry().texts.get(name) ?? "" };
}

/** Sets the sentences. Families provide them, because only families know their tools. */
export function providePromptHints(hints: readonly ProvidedHint[]): void {
  registry().texts = new Map(hints.map(([{ name }, text]) => [name, text]));
}
