import { spellHidden } from "../text/reveal-hidden";

/** Rows as the choices of a select: their ids, by their names. */
export const nameChoices = (rows: readonly { id: string; name: string }[] | undefined) =>
  rows?.map(({ id, name }) => ({ value: id, label: spellHidden(name) })) ?? [];
