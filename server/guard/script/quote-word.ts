/** Quotes any word so that a shell reads back the same word. */
export const quoteWord = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
