"use client";

import { IconDeviceMobileMessage } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { AddButton } from "@/components/kit/resources/add-button";
import { useResourcePage } from "@/components/kit/resources/use-resource-page";
import { AdminsOnly } from "@/components/kit/settings-frame/admins-only";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { RowLine, SwitchRow } from "@/components/kit/ui/lists/switch-row";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { platformFacts } from "@/contracts/browser/messengers/messenger-platforms";
import type { Messenger } from "@/contracts/messengers/messengers";
import { stateWords, writerWords } from "./messenger-words";
import { messengerResource } from "./queries";

// Loaded after the page, because a drawer opens only on a click.
const MessengerDrawer = dynamic(() => import("./messenger-drawer").then((file) => file.MessengerDrawer), { ssr: false });

/** Accounts on platforms where people write to agents. */
export function MessengersView() {
  const page = useResourcePage(messengerResource, {
    title: "Messengers",
    address: "messenger",
    permission: "messengers:write",
    isForAdmins: true,
  });
  const { list, rows: messengers, refusal } = page;
  const addButton = <AddButton noun="messenger" page={page} />;
  return (
    <>
      <PageHeader title="Messengers" description="People write to your agents where they are, and decide approvals there.">
        {refusal === null && messengers.length > 0 ? addButton : null}
      </PageHeader>
      {refusal !== null ? (
        <AdminsOnly what="messengers" reason={refusal} />
      ) : (
        <>
          <Loaded query={list} what="the messengers" rows={2} height={4.5}>
            {() =>
              messengers.length === 0 ? (
                <EmptyState icon={IconDeviceMobileMessage} title="No messengers yet" action={addButton}>
                  Connect Telegram, Slack, e-mail or another platform, and write to an agent from there.
                </EmptyState>
              ) : (
                <ul className={rows.rows}>
                  {messengers.map((messenger) => (
                    <MessengerRow
                      key={messenger.id}
                      messenger={messenger}
                      onOpen={() => page.open(messenger.id)}
                      onSwitch={(enabled) => page.switchEnabled(messenger, enabled)}
                    />
                  ))}
                </ul>
              )
            }
          </Loaded>
          <MessengerDrawer page={page} />
        </>
      )}
    </>
  );
}

type MessengerRowProps = { messenger: Messenger; onOpen: () => void; onSwitch: (enabled: boolean) => void };

function MessengerRow({ messenger, onOpen, onSwitch }: MessengerRowProps) {
  const { id, name, platform, agent, bot, writers, enabled, state, lastError, lastReceivedAt, unknownParts } = messenger;
  const { word, tone } = stateWords[enabled ? state : "off"];
  const who = bot ? ` as ${bot.name}` : "";
  return (
    <SwitchRow
      name={name}
      enabled={enabled}
      href={`?messenger=${id}`}
      aside={
        <>
          <StatusBadge tone={tone}>{word}</StatusBadge>
          {lastReceivedAt ? <RelativeTime at={lastReceivedAt} /> : "Nothing received yet"}
        </>
      }
      onOpen={onOpen}
      onSwitch={onSwitch}
    >
      <RowLine text={`${platformFacts[platform].title}${who}, answered by ${agent ?? "the default agent"}`} />
      <RowLine text={`Who may write: ${writerWords[writers].toLowerCase()}`} />
      {lastError ? <RowLine text={lastError} kind="error" /> : null}
      {unknownParts > 0 ? (
        <RowLine text={`${unknownParts} parts of answers may have been sent and were not repeated`} kind="error" />
      ) : null}
    </SwitchRow>
  );
}
