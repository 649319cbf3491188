"use client";

import { Button } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import { isApiProblem } from "@/components/kit/api/api-problem";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import shared from "../shared.module.css";
import { ShortId } from "../text/short-id";
import classes from "./error-state.module.css";

type ErrorStateProps = { error: unknown /** Name of the content: "the tools". */; what: string; retry?: () => void; retrying?: boolean };

/** Replaces content that failed to load: the reason, the error number for an admin, and a retry button. */
export function ErrorState({ error, what, retry, retrying = false }: ErrorStateProps) {
  const requestId = isApiProblem(error) && error.problem.requestId !== "none" ? error.problem.requestId : null;
  return (
    <div className={classes.error} role="alert">
      <IconAlertTriangle size={20} stroke={1.7} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <p className={`${shared.flush} ${shared.strong}`}>Could not load {what}</p>
        <p className={classes.detail}>{toErrorSentence(error)}</p>
        {requestId ? (
          <p className={`${classes.request} ${shared.small}`}>
            Request <ShortId id={requestId} what="request id" />
          </p>
        ) : null}
      </div>
      {retry ? (
        <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} loading={retrying} onClick={retry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}
