/** Returns the entries of a table of texts, which stand apart by ` ¦ ` and line ends. */
export const listOf = (table: string): string[] => table.split(/ ¦ |\n/).flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]));
