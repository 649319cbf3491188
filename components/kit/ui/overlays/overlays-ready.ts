const { promise, resolve } = Promise.withResolvers<void>();

/** Resolves when the dialogs are mounted; a dialog that is opened earlier would be lost. */
export const overlaysReady = promise;
export const tellOverlaysReady = resolve;
