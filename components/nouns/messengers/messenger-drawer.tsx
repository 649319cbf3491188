"use client";

import { Button, VisuallyHidden } from "@mantine/core";
import { IconMessageOff, IconPlugConnected, IconSend } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { FormSkeleton } from "@/components/kit/resources/form-skeleton";
import { LastItems } from "@/components/kit/resources/last-items";
import { ResourceDetails } from "@/components/kit/resources/resource-details";
import { ResourceDrawer } from "@/components/kit/resources/resource-drawer";
import type { ResourcePage } from "@/components/kit/resources/use-resource-page";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { Facts } from "@/components/kit/ui/page/facts";
import { Part } from "@/components/kit/ui/page/part";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { platformFacts } from "@/contracts/browser/messengers/messenger-platforms";
import { type Messenger, type MessengerChat, type MessengerPart, messengerEndpoints } from "@/contracts/browser/messengers/messengers";
import { approvalWords, partWords, stateWords, writerWords } from "./messenger-words";
import { PlatformSteps } from "./platform-steps";
import { messengerQueries } from "./queries";

const loadForm = () => import("./messenger-form");
const MessengerForm = dynamic(() => loadForm().then((file) => file.MessengerForm), { ssr: false, loading: FormSkeleton });

const removalLoss = "Its chats, messages and tools go with it. Conversations stay, and answers that wait are not sent.";

/** Details of a messenger, its settings, or the form for a new one. */
export function MessengerDrawer({ page }: { page: ResourcePage<Messenger> }) {
  return (
    <ResourceDrawer
      noun="messenger"
      page={page}
      missingIcon={IconMessageOff}
      loadForm={loadForm}
      form={(messenger, leave) => <MessengerForm messenger={messenger} onSaved={(saved) => page.open(saved.id)} onCancel={leave} />}
      details={(messenger) => <Details messenger={messenger} page={page} />}
    />
  );
}

function Details({ messenger, page }: { messenger: Messenger; page: ResourcePage<Messenger> }) {
  const { id, platform, transport, enabled, state, bot, agent, writers, approvals, speechModel, callbackAddress, lastError, lastErrorAt } =
    messenger;
  const check = useMutation({
    meta: { showsError: true },
    mutationFn: () => call(messengerEndpoints.check, { params: { id } }),
    onSettled: page.refresh,
  });
  const { word, tone } = stateWords[enabled ? state : "off"];
  return (
    <ResourceDetails
      page={page}
      row={messenger}
      loss={removalLoss}
      actions={
        <Button leftSection={<IconPlugConnected size={16} aria-hidden />} loading={check.isPending} onClick={() => check.mutate()}>
          Check credentials
        </Button>
      }
    >
      <VisuallyHidden role="status">{check.isSuccess ? "The credentials hold" : ""}</VisuallyHidden>
      {check.error ? <p className={shared.note}>{toErrorSentence(check.error)}</p> : null}
      <Facts
        facts={[
          ["Platform", platformFacts[platform].title],
          [
            "State",
            <StatusBadge key="state" tone={tone}>
              {word}
            </StatusBadge>,
          ],
          ["Account", bot?.name ?? "Not known yet"],
          ["Agent", agent ?? "The default agent"],
          ["Who may write", writerWords[writers]],
          ["Approvals in the chat", approvalWords[approvals]],
          ["Voice messages", speechModel ? <>Written down by {<RevealedText text={speechModel.model} />}</> : "Not written down"],
          ["Last error", lastError ? <RevealedText key="error" text={lastError} /> : null],
          ["Failed", lastErrorAt ? <RelativeTime key="failed" at={lastErrorAt} /> : null],
          ["Id", <ShortId key="id" id={id} what="id of the messenger" />],
        ]}
      />
      <Part heading="On the platform">
        <PlatformSteps platform={platform} transport={transport} address={callbackAddress} />
      </Part>
      <Chats id={id} isRefused={page.refusal !== null} />
      <LastMessages id={id} />
    </ResourceDetails>
  );
}

const kindWords: Record<MessengerChat["kind"], string> = { private: "Private", group: "Group", thread: "Thread" };

function Chats({ id, isRefused }: { id: string; isRefused: boolean }) {
  const chats = useQuery(messengerQueries.chats(id));
  const test = useMutation({
    mutationFn: (chatId: string) => call(messengerEndpoints.sendTest, { params: { id, chatId } }),
    onSettled: () => chats.refetch(),
  });
  return (
    <Part heading="Chats">
      <VisuallyHidden role="status">{test.isSuccess ? "The test message is on its way" : ""}</VisuallyHidden>
      <Loaded query={chats} what="the chats" rows={2} height={2.25}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={shared.note}>Nobody has written yet. Write to the account on the platform.</p>
          ) : (
            <ul className={shared.stack}>
              {items.map(({ id: chatId, kind, title, chat, lastReceivedAt }) => (
                <li key={chatId} className={shared.bar}>
                  <span className={shared.fluid}>
                    {kindWords[kind]}: <RevealedText text={title ?? chat} />
                    {lastReceivedAt ? (
                      <span className={shared.dim}>
                        , last message <RelativeTime at={lastReceivedAt} />
                      </span>
                    ) : null}
                  </span>
                  <Button
                    size="compact-sm"
                    variant="default"
                    leftSection={<IconSend size={14} aria-hidden />}
                    disabled={isRefused}
                    onClick={() => test.mutate(chatId)}
                  >
                    Send a test
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Part>
  );
}

function LastMessages({ id }: { id: string }) {
  const parts = useQuery(messengerQueries.parts(id));
  return (
    <LastItems
      heading="Last messages"
      query={parts}
      what="the messages"
      nothing="Nothing was received or sent."
      item={(part) => <Message key={part.id} part={part} />}
    />
  );
}

function Message({ part: { direction, status, sender, text, error, createdAt } }: { part: MessengerPart }) {
  const { word, tone } = partWords[status];
  return (
    <li>
      <StatusBadge tone={tone} plain>
        {word}
      </StatusBadge>{" "}
      <span className={shared.dim}>
        {direction === "in" ? <RevealedText text={sender ?? "somebody"} /> : "Handrail"} <RelativeTime at={createdAt} />
      </span>
      <div>
        <RevealedText text={text.slice(0, 300)} />
      </div>
      {error ? (
        <div className={shared.dim}>
          <RevealedText text={error} />
        </div>
      ) : null}
    </li>
  );
}
