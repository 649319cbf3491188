import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { DeliveryFilter, type DeliveryStatus, deliveryStatuses } from "@/contracts/webhooks";

/** What the address of the page may say about the log; read by the server page and the browser alike. */
export const deliverySearch = {
  of: parseAsString,
  status: parseAsStringLiteral(deliveryStatuses),
  turn: parseAsString,
};

export type DeliverySearch = { of: string | null; status: DeliveryStatus | null; turn: string | null };

/** The filter that an address stands for; parts that cannot be one are left out. */
export function filterOf({ of, status, turn }: DeliverySearch): DeliveryFilter {
  const wanted = { webhookId: of, status, turnId: turn };
  const filter: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(wanted)) {
    if (value !== null && DeliveryFilter.safeParse({ [name]: value }).success) filter[name] = value;
  }
  return DeliveryFilter.parse(filter);
}
