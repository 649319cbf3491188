import { provideEngine } from "@/server/platform/queue";

/** Provides an engine that stores no work: the test runs work itself, once, twice or never. */
export function useManualQueue(): void {
  provideEngine({ insert: async () => {} });
}
