/**
 * Keeps copies of files before a command starts.
 * @returns the function to call when all processes of the command have ended; it resolves with sentences about the files
 * that the command changed or deleted
 * @throws AppError when a file that the command names could not be copied
 */
export type KeepCopies = () => Promise<FinishCopies>;
export type FinishCopies = () => Promise<readonly string[]>;
