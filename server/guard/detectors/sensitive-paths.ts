/** Paths that an admin called sensitive. */
export type SensitivePaths = {
  /** The pattern that a path fits; null when it fits none. */
  fitting: (path: string) => string | null;
};

/** No path is sensitive beyond what detectors know themselves. */
export const noSensitivePaths: SensitivePaths = { fitting: () => null };
