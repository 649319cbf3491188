/**
 * Throws to prevent the replacement of a file. `changedAt`: the file's modification time, milliseconds since 1970. `isEdit`:
 * the new content is the old one with some places changed.
 */
export type MayReplace = (file: { given: string; relative: string; changedAt: number; isEdit: boolean }) => Promise<void>;
