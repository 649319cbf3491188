import type { Db } from "@/db/client";
import { processWide } from "../process-wide";

/** A result of work that a conversation has ordered, and that ends outside of it. */
export type OrderedResult = {
  /** The conversation that ordered the work. */
  orderedIn: string | null;
  /** Names the result, so that it is sent once. */
  key: string;
  /** The work, in words. */
  title: string;
  /** Markdown. */
  text: string;
};

/** Brings results to the chats where the work was ordered. */
export type ResultCarrier = (tx: Db, result: OrderedResult) => Promise<void>;

const holder = () => processWide("result-carrier", () => ({ carry: (async () => {}) as ResultCarrier }));

export function provideResultCarrier(carry: ResultCarrier): void {
  holder().carry = carry;
}

/** Sends a result back in the transaction that ends the work. */
export async function sendBack(tx: Db, result: OrderedResult): Promise<void> {
  if (result.orderedIn !== null) await holder().carry(tx, result);
}
