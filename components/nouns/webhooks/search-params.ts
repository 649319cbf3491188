import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { isId, presentOnly } from "@/components/kit/api/address-parts";
import { type DeliveryStatus, deliveryStatuses } from "@/contracts/browser/hooks/webhooks";
import type { DeliveryFilter } from "@/contracts/hooks/webhooks";

/** Search parameters of the deliveries, read on the server and in the browser. */
export const deliverySearch = {
  of: parseAsString,
  status: parseAsStringLiteral(deliveryStatuses),
  turn: parseAsString,
};

type DeliverySearch = { of: string | null; status: DeliveryStatus | null; turn: string | null };

/** Returns the filter of an address; invalid parts are left out. */
export function toDeliveryFilter({ of, status, turn }: DeliverySearch): DeliveryFilter {
  return presentOnly<DeliveryFilter>({ webhookId: of && isId(of) ? of : null, status, turnId: turn && isId(turn) ? turn : null });
}
