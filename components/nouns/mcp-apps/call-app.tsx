"use client";

import { Button, Skeleton } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { IconAppWindow } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { McpApp } from "@/contracts/browser/mcp/mcp-apps";
import { AppFrame } from "./app-frame";
import classes from "./call-app.module.css";
import { mcpAppQueries } from "./queries";

type CallAppProps = { turnId: string; callId: string };

/** The app that an MCP server shows with a call's result (MCP Apps). It is read when it comes into view. */
export function CallApp({ turnId, callId }: CallAppProps) {
  const place = { id: turnId, callId };
  const { ref, entry } = useIntersection({ rootMargin: "200px" });
  const [wasSeen, setWasSeen] = useState(false);
  if (entry?.isIntersecting && !wasSeen) setWasSeen(true);
  const { data: app, error, refetch, isRefetching } = useQuery({ ...mcpAppQueries.one(place), enabled: wasSeen });
  const [isClosed, setIsClosed] = useState(false);
  return (
    <div ref={ref}>
      {!app ? (
        error ? (
          <ErrorState error={error} what="the app of this call" retry={() => void refetch()} retrying={isRefetching} />
        ) : (
          <Skeleton height={160} aria-hidden />
        )
      ) : isClosed ? (
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconAppWindow size={15} aria-hidden />}
          onClick={() => setIsClosed(false)}
        >
          Show the app of {app.server}
        </Button>
      ) : (
        <figure className={classes.app} data-border={app.hasBorder || undefined} aria-label={`App of ${app.server}`}>
          <figcaption className={classes.caption}>
            <IconAppWindow size={14} aria-hidden />
            <span>
              App of <RevealedText text={app.server} />
            </span>
            <Reach app={app} />
          </figcaption>
          <AppFrame key={callId} place={place} app={app} onClose={() => setIsClosed(true)} />
        </figure>
      )}
    </div>
  );
}

const hostsOf = (origins: readonly string[]): string => [...new Set(origins.map((origin) => origin.replace(/^\w+:\/\//, "")))].join(", ");

/** Tells where the app may send requests and load from, because what it shows and what is typed into it may go there. */
function Reach({ app: { connectDomains, resourceDomains, frameDomains } }: { app: McpApp }) {
  const origins = [...connectDomains, ...resourceDomains, ...frameDomains];
  if (origins.length === 0) return null;
  return (
    <span className={`${shared.dim} ${shared.wraps}`}>
      May reach <RevealedText text={hostsOf(origins)} />
    </span>
  );
}
