import type { ExtractTask } from "../../server/families/documents/program/document-task";

/** A small file with what a reader of it has to see. */
export type Input = {
  /** The kind of mistake that it stands for. */
  kind: string;
  /** Its name, whose ending counts as that of a real file. */
  name: string;
  file: () => Uint8Array | Promise<Uint8Array>;
  /** Each must be found in the notes and the text. */
  must: readonly (string | RegExp)[];
  mustNot?: readonly (string | RegExp)[];
  options?: Partial<ExtractTask>;
};

/** Names the inputs of a kind. `ending` is that of inputs without their own. */
export const inputs = (kind: string, ending: string, all: readonly (Omit<Input, "kind" | "name"> & { ending?: string })[]): Input[] =>
  all.map(({ ending: own = ending, ...input }, at) => ({ ...input, kind, name: `${kind.replaceAll(/\W+/g, "-")}-${at + 1}.${own}` }));
