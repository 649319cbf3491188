"use client";

import { Skeleton } from "@mantine/core";
import { IconShieldLock, IconShieldOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import shared from "@/components/kit/ui/shared.module.css";
import { MarkedSentence } from "@/components/kit/ui/text/marked-sentence";
import { sandboxQueries } from "./queries";
import classes from "./sandbox-line.module.css";

/** Status line of the sandbox: plain while on, amber with the remedy while off. */
export function SandboxLine() {
  const { data, error } = useQuery(sandboxQueries.status());
  if (!data && !error) return <Skeleton height="2.25rem" mb="md" aria-hidden />;
  const Icon = data?.isOn ? IconShieldLock : IconShieldOff;
  return (
    <p className={`${classes.line} ${shared.framed}`} data-off={data?.isOn === false || undefined} role={data ? undefined : "alert"}>
      <Icon size={16} stroke={1.7} aria-hidden />
      <span>
        {data ? (
          <>
            <strong>{data.isOn ? "Sandbox on." : "Sandbox off."}</strong> <MarkedSentence text={data.sentence} />
          </>
        ) : (
          <>Could not load the state of the sandbox. {toErrorSentence(error)}</>
        )}
      </span>
    </p>
  );
}
