import { signOut } from "@/components/kit/session/session-requests";
import { decisionOutbox } from "@/components/nouns/approvals/outbox/decision-outbox";

/** Ends the session of this browser. */
export async function signOutHere() {
  // Sends held decisions first, because they would be refused without the session.
  await decisionOutbox.flush({ keepalive: true });
  await signOut("/sign-in");
}
