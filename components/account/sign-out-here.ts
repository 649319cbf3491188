import { decisionOutbox } from "@/components/approvals/decision-outbox";
import { signOut } from "@/components/session/session-requests";

/** Ends the session of this browser. */
export async function signOutHere() {
  // Sends held decisions first, because they would be refused without the session.
  await decisionOutbox.flush({ keepalive: true });
  await signOut("/sign-in");
}
