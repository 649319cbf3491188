import "server-only";
import type { ActorRef } from "@/contracts/common";
import { processWide } from "@/server/platform/process-wide";
import { onSignal } from "@/server/platform/signals/bus";

type PromotionListener = (promotion: { by: ActorRef }) => void;

/** Calls that run here and can be moved to the background. */
const promotable = () =>
  processWide("promotable", () => {
    const calls = new Map<string, PromotionListener>();
    onSignal("promote", ({ callId, by }) => calls.get(callId)?.({ by }));
    return calls;
  });

/** Lets a running call be moved to the background until `forget` is called. */
export function allowPromotion(callId: string): { asked: Promise<{ by: ActorRef }>; forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<{ by: ActorRef }>();
  promotable().set(callId, resolve);
  return { asked: promise, forget: () => promotable().delete(callId) };
}
