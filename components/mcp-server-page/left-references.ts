/** A reference in the form of each program: `${NAME}`, `${input:NAME}`, `${env:NAME}`. */
const reference = /(?<!\$)\$\{(?:input:|env:)?([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Returns the names of the values that an exported configuration leaves out, each once, in its order. */
export const leftReferences = (config: string): string[] => [...new Set([...config.matchAll(reference)].map(([, name = ""]) => name))];
