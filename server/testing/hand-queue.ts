import { provideQueue } from "@/server/platform/queue";

/** A job queue that carries nothing out by itself: what its jobs would do, the test does when it likes, twice, or never. */
export function useHandQueue(): void {
  provideQueue({ send: async () => {} });
}
