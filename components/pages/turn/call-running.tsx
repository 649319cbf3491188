"use client";

import { IconArrowBarDown } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call as send } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { useNow } from "@/components/kit/ui/text/now";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { turnQueries } from "@/components/nouns/turns/queries";
import { type Call, turnEndpoints } from "@/contracts/browser/turns/turns";
import classes from "./call-step.module.css";

type CallRunningProps = {
  turnId: string;
  call: Call;
  /** Progress of the work, in the tool's words. */
  progress: string | null;
  /** Why the call cannot become a background job. */
  staysBecause: string | null;
};

/** A running call: its progress and duration, and the button that moves it to the background. */
export function CallRunning({ turnId, call, progress, staysBecause }: CallRunningProps) {
  const refusal = useRefusal("turns:write") ?? staysBecause;
  const client = useQueryClient();
  const promote = useMutation({
    meta: { showsError: true },
    mutationFn: () => send(turnEndpoints.promote, { params: { id: turnId, callId: call.callId } }),
    onSuccess: (turn) => client.setQueryData(turnQueries.one(turnId).queryKey, turn),
    onSettled: () => client.invalidateQueries({ queryKey: turnQueries.all() }),
  });
  const isUnheard = promote.data?.calls.some(({ callId, status }) => callId === call.callId && status === "running");
  return (
    <div className={`${classes.running} ${shared.spread}`}>
      <p className={classes.progress}>
        <span className={shared.fluid} role="status">
          {progress ? <RevealedText text={progress} /> : "No progress reported."}
        </span>
        {call.startedAt ? <Elapsed since={call.startedAt} /> : null}
      </p>
      <RefusableButton
        refusal={refusal}
        variant="default"
        size="compact-sm"
        leftSection={<IconArrowBarDown size={15} aria-hidden />}
        loading={promote.isPending}
        onClick={() => promote.mutate()}
      >
        Move to background
      </RefusableButton>
      {promote.isError || isUnheard ? (
        <p className={classes.error} role="alert">
          {promote.isError ? toErrorSentence(promote.error) : "The replica that runs this call has not answered. Try again in a moment."}
        </p>
      ) : null}
    </div>
  );
}

function Elapsed({ since }: { since: string }) {
  const now = useNow();
  return (
    <span className={shared.dim} data-numeric suppressHydrationWarning>
      {durationText(Math.floor(Math.max(0, now - Date.parse(since)) / 1_000) * 1_000)}
    </span>
  );
}
