import "server-only";
import type { HttpCapability } from "@/server/capabilities/http";
import { log } from "@/server/platform/log";
import { claimDelivery, type DeliveryRow } from "./claim-delivery";
import { tryDelivery } from "./try-delivery";

export type DeliveryRunner = {
  /** Begins every try that is due, as far as there is room; the end of one makes room and looks again. */
  look(): Promise<void>;
  /** Waits until nothing is under way. */
  settled(): Promise<void>;
  /** Begins nothing more. */
  stop(): void;
};

const mostAtOnce = 16;
/** A receiver that hangs holds up this many tries and no more. */
const mostToOneAddress = 4;

/** Sends what is due, side by side. Any number of runners, in any number of processes, share the work. */
export function deliveryRunner({ http, now = () => new Date() }: { http: HttpCapability; now?: () => Date }): DeliveryRunner {
  const underWay = new Map<string, { url: string; ended: Promise<void> }>();
  let looking: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  const busyAddresses = () => {
    const counts = Map.groupBy(underWay.values(), ({ url }) => url);
    return [...counts].flatMap(([url, tries]) => (tries.length >= mostToOneAddress ? [url] : []));
  };
  const begin = (claimed: DeliveryRow) => {
    const ended = tryDelivery(claimed, http, now)
      // It is due again when its claim runs out.
      .catch((error) => log().warn({ err: error, deliveryId: claimed.id }, "a delivery could not be concluded"))
      .then(() => {
        underWay.delete(claimed.id);
        void look();
      });
    underWay.set(claimed.id, { url: claimed.url, ended });
  };
  const beginAll = async () => {
    try {
      do {
        again = false;
        while (!stopped && underWay.size < mostAtOnce) {
          const claimed = await claimDelivery(now(), busyAddresses());
          if (!claimed) break;
          begin(claimed);
        }
      } while (again && !stopped);
    } catch (error) {
      log().warn({ err: error }, "due deliveries could not be read");
    }
  };
  const look = async (): Promise<void> => {
    again = true;
    looking ??= beginAll().finally(() => {
      looking = null;
      // Asked for in the moment between the last look and here.
      if (again && !stopped) void look();
    });
    await looking;
  };

  return {
    look,
    async settled() {
      while (looking || underWay.size > 0) await Promise.all([looking, ...[...underWay.values()].map(({ ended }) => ended)]);
    },
    stop() {
      stopped = true;
    },
  };
}
