"use client";

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDeviceMobile } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { Section } from "@/components/kit/settings-frame/section";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { notificationEndpoints, type PushDevice } from "@/contracts/browser/notifications/notifications";
import classes from "./devices-section.module.css";
import { subscribeHere, whyNoPush } from "./push-browser";
import { notificationQueries } from "./queries";

/** The browsers that get pushes; on a phone, the installed page. */
export function DevicesSection() {
  const client = useQueryClient();
  const devices = useQuery(notificationQueries.devices());
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => setRefusal(whyNoPush()), []);
  const refresh = () => client.invalidateQueries({ queryKey: ["notifications"] });
  const add = useMutation({
    meta: { showsError: true },
    mutationFn: subscribeHere,
    onSuccess: () => notifications.show({ message: "Approvals are pushed to this device" }),
    onSettled: refresh,
  });
  return (
    <Section
      id="devices"
      title="Devices"
      description="Browsers that show approvals while no console is open. On a phone, add Handrail to the home screen first."
      action={
        <RefusableButton refusal={refusal} variant="default" loading={add.isPending} onClick={() => add.mutate()}>
          Add this device
        </RefusableButton>
      }
    >
      {refusal ? <p className={shared.note}>{refusal}</p> : null}
      {add.error ? (
        <p className={shared.note} role="alert">
          <RevealedText text={add.error instanceof Error ? add.error.message : toErrorSentence(add.error)} />
        </p>
      ) : null}
      <Loaded query={devices} what="your devices" rows={2} height={3}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={IconDeviceMobile} title="No devices yet">
              Add the browser of your phone to hear of approvals there.
            </EmptyState>
          ) : (
            <ul className={shared.plainList} aria-label="Devices">
              {items.map((device) => (
                <DeviceRow key={device.id} device={device} onChanged={refresh} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function DeviceRow({ device, onChanged }: { device: PushDevice; onChanged: () => void }) {
  const { id, lastSentAt, lastError } = device;
  const test = useMutation({
    mutationFn: () => call(notificationEndpoints.testDevice, { params: { id } }),
    onSuccess: () => notifications.show({ message: "A test is on its way" }),
    onSettled: onChanged,
  });
  const remove = useMutation({ mutationFn: () => call(notificationEndpoints.removeDevice, { params: { id } }), onSettled: onChanged });
  return (
    <li className={classes.device}>
      <div className={classes.words}>
        <RevealedText text={device.device} /> <CodeText dim>{device.host}</CodeText>
        <p className={shared.note}>
          {lastError ? <RevealedText text={lastError} /> : lastSentAt ? "Last push " : "No push yet"}
          {!lastError && lastSentAt ? <RelativeTime at={lastSentAt} /> : null}
        </p>
      </div>
      <Button variant="default" size="xs" loading={test.isPending} onClick={() => test.mutate()}>
        Send a test
      </Button>
      <Button variant="subtle" color="gray" size="xs" loading={remove.isPending} onClick={() => remove.mutate()}>
        Remove
      </Button>
    </li>
  );
}
