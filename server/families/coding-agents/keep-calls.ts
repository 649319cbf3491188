import "server-only";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { endUnreported } from "@/server/turns/client/end-client-call";

/** A client that has not reported the result of a call by then will not do so: its outcome is unknown. */
const reportedWithinMs = 6 * 3_600_000;

/** Ends calls whose clients never reported a result. */
export async function endLostCalls(now = sharedNow()): Promise<void> {
  await endUnreported({ releasedBefore: new Date(now.getTime() - reportedWithinMs) });
}
