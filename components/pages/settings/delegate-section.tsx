"use client";

import { Button, Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPlugConnected, IconPlugConnectedX, IconRouteOff } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { useRefusal } from "@/components/kit/session/me";
import { Section } from "@/components/kit/settings-frame/section";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { agentQueries } from "@/components/nouns/agents/queries";
import { toolQueries } from "@/components/nouns/tools/queries";
import { type Delegate, delegateEndpoints } from "@/contracts/browser/agents/delegate";
import { delegateQueries } from "./queries";
import { timeWords } from "./time-words";

const DelegateForm = dynamic(() => import("./delegate-form").then((file) => file.DelegateForm), { ssr: false });

/** The pipeline or agent for tasks of core_execute. */
export function DelegateSection() {
  const refusal = useRefusal("tools:write");
  const client = useQueryClient();
  const { data: delegate, error, refetch, isFetching } = useQuery(delegateQueries.get());
  const [editing, setEditing] = useState(false);
  const disconnect = () =>
    confirmAction({
      title: "Disconnect the pipeline",
      children: "The address and the secret are deleted, and core_execute reports that no pipeline is connected. Running tasks continue.",
      action: "Disconnect",
      onConfirm: async () => {
        await call(delegateEndpoints.remove, {});
        notifications.show({ message: "The pipeline is disconnected" });
        await Promise.all([
          client.invalidateQueries({ queryKey: delegateQueries.get().queryKey }),
          client.invalidateQueries({ queryKey: toolQueries.all() }),
        ]);
      },
    });
  return (
    <Section id="delegate" title="Delegate" description="The HTTP endpoint or the agent that executes core_execute tasks.">
      {error && !delegate ? (
        <ErrorState error={error} what="the delegate" retry={() => void refetch()} retrying={isFetching} />
      ) : !delegate ? (
        <RowSkeletons rows={1} height={6} what="the delegate" />
      ) : delegate.url === null && delegate.agentId === null ? (
        <EmptyState
          icon={IconRouteOff}
          title="No delegate"
          action={
            <RefusableButton refusal={refusal} leftSection={<IconPlugConnected size={16} aria-hidden />} onClick={() => setEditing(true)}>
              Connect a pipeline
            </RefusableButton>
          }
        >
          Without a pipeline, calls of core_execute fail, and tools on the escalate surface cannot be reached.
        </EmptyState>
      ) : (
        <div className={shared.story}>
          <DelegateFacts delegate={delegate} />
          <DisabledReason reason={refusal}>
            <div className={shared.bar}>
              <Button variant="default" disabled={refusal !== null} onClick={() => setEditing(true)}>
                Change
              </Button>
              <Button
                variant="default"
                leftSection={<IconPlugConnectedX size={16} aria-hidden />}
                disabled={refusal !== null}
                onClick={disconnect}
              >
                Disconnect
              </Button>
            </div>
          </DisabledReason>
        </div>
      )}
      {delegate ? (
        <Modal
          opened={editing}
          onClose={() => setEditing(false)}
          title={delegate.version === 0 ? "Connect a pipeline" : "Change the delegate"}
        >
          <DelegateForm delegate={delegate} onDone={() => setEditing(false)} />
        </Modal>
      ) : null}
    </Section>
  );
}

function DelegateFacts({ delegate: { connected, url, agentId, hasSecret, timeoutSeconds, updatedAt } }: { delegate: Delegate }) {
  const agents = useQuery({ ...agentQueries.list(), enabled: agentId !== null });
  return (
    <Facts
      facts={[
        [
          "State",
          connected ? (
            <StatusBadge key="state" tone="allow">
              In use
            </StatusBadge>
          ) : (
            <StatusBadge key="state" tone="unavailable">
              Switched off
            </StatusBadge>
          ),
        ],
        ["Agent", agentId ? (agents.data?.items.find(({ id }) => id === agentId)?.name ?? agentId) : null],
        ["Address", url ? <CodeText key="url">{url}</CodeText> : null],
        [
          "Secret",
          agentId ? null : hasSecret ? (
            <span key="secret">
              Sent as <CodeText>Authorization: Bearer</CodeText>, stored encrypted
            </span>
          ) : (
            "None"
          ),
        ],
        ["A task may take", timeWords(timeoutSeconds)],
        ["Changed", updatedAt ? <RelativeTime key="changed" at={updatedAt} /> : null],
      ]}
    />
  );
}
