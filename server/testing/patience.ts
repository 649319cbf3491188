/** Milliseconds that a test waits for what must happen, however busy the machine is. */
export const patienceMs = 30_000;
