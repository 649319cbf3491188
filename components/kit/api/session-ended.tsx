"use client";

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { isApiProblem } from "./api-problem";

/** Returns whether the API refused because the session has ended. */
export function isSessionEnded(error: unknown): boolean {
  return isApiProblem(error) && error.problem.status === 401;
}

/** Offers to sign in again. Does not redirect, because the person would lose unsaved text. */
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
