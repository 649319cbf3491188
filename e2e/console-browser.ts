import type { BrowserContextOptions } from "@playwright/test";

/**
 * The window that journeys look through. It asks for no motion: what still unfolds moves away under a click that comes faster
 * than a hand's.
 */
export const consoleBrowser = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" } satisfies BrowserContextOptions;
