import { log } from "@/server/platform/log";
import { onSignal } from "@/server/platform/signals/bus";
import type { BootStep } from "../define-family";
import { removeAbandonedProfiles } from "./launch-browser";
import { serveRelayedActions } from "./relay-action";
import { endAllSessions, endIdleSessions, hasSession } from "./sessions";

const pollIntervalMs = 60_000;

/** Serves other replicas, ends unused browsers, and ends all of them when the process stops. */
export const browsersStep: BootStep = {
  title: "Browsers",
  limitMs: 5_000,
  start: async () => {
    serveRelayedActions();
    await removeAbandonedProfiles();
    const sweep = () => void endIdleSessions().catch((error) => log().warn({ err: error }, "unused browsers could not be looked for"));
    const timer = setInterval(sweep, pollIntervalMs);
    timer.unref();
    // The signal says that a conversation changed; the sweep ends the browser when the conversation was deleted.
    const off = onSignal("conversation", ({ conversationId }) => hasSession(conversationId) && sweep());
    return async () => {
      clearInterval(timer);
      off();
      await endAllSessions();
    };
  },
};
