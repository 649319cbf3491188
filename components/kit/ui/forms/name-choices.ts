import { spellHidden } from "../text/reveal-hidden";

/** Returns rows as choices of a select: ids as values, names as labels. */
export const nameChoices = (rows: readonly { id: string; name: string }[] | undefined) =>
  rows?.map(({ id, name }) => ({ value: id, label: spellHidden(name) })) ?? [];
