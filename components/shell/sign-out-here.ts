import { signOut } from "next-auth/react";

/** Ends the session of this browser. */
export function signOutHere() {
  void signOut({ callbackUrl: "/sign-in" });
}
