/** Lines of a page: all of the last snapshot, and those that results have shown. */
export type KnownLines = { all: ReadonlySet<string>; shown: ReadonlySet<string> };

export const noLines: KnownLines = { all: new Set(), shown: new Set() };
