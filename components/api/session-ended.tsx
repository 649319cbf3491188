"use client";

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { isApiProblem } from "./api-problem";

/** Whether the API refused because nobody is signed in any more. */
export function isSessionEnded(error: unknown): boolean {
  return isApiProblem(error) && error.problem.status === 401;
}

/** Offers to sign in again. It does not go there by itself: what somebody is typing would be lost. */
export function offerSignIn() {
  notifications.show({
    id: "session-ended",
    title: "Your session has ended",
    message: (
      <Button mt="xs" size="compact-sm" onClick={signInAgain}>
        Sign in again
      </Button>
    ),
    color: "yellow",
    autoClose: false,
  });
}

function signInAgain() {
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/sign-in?callbackUrl=${encodeURIComponent(here)}`);
}
