import type { Detector } from "./detector";

/** Every detector, in the order in which they run and are listed. Each is a file of its own. */
export const allDetectors: readonly Detector[] = [];
