"use client";

import { Button, Divider, Popover, Stack, Switch, Text } from "@mantine/core";
import { IconBell, IconBellOff } from "@tabler/icons-react";
import { useState } from "react";
import { useUndoSetting } from "../outbox/undo-setting";
import { ring, useAlertSettings } from "./alert-settings";

/** Settings for sound and desktop notifications of new approvals, in this browser only. */
export function AlertMenu() {
  const { settings, setSettings } = useAlertSettings();
  const undo = useUndoSetting();
  const [refused, setRefused] = useState(false);
  const isOn = settings.sound || settings.desktop;

  const changeSound = (sound: boolean) => {
    setSettings({ ...settings, sound });
    if (sound) ring();
  };
  const changeDesktop = async (desktop: boolean) => {
    const granted = desktop && "Notification" in window && (await Notification.requestPermission()) === "granted";
    setRefused(desktop && !granted);
    setSettings({ ...settings, desktop: granted });
  };

  return (
    <Popover position="bottom-end" width={300} shadow="md" withinPortal>
      <Popover.Target>
        <Button variant="default" leftSection={isOn ? <IconBell size={16} aria-hidden /> : <IconBellOff size={16} aria-hidden />}>
          Alerts {isOn ? "on" : "off"}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text c="dimmed">Alerts of this browser for new approvals.</Text>
          <Switch label="Play a sound" checked={settings.sound} onChange={(event) => changeSound(event.currentTarget.checked)} />
          <Switch
            label="Show a notification"
            description="While this window is not in front"
            checked={settings.desktop}
            onChange={(event) => void changeDesktop(event.currentTarget.checked)}
            error={refused ? "The browser blocks notifications. Allow them for this site in the browser's settings." : undefined}
          />
          <Divider />
          <Switch
            label="Undo decisions"
            description="Each decision is sent after 5 s. Until then you can undo the decision."
            checked={undo.isOn}
            onChange={(event) => undo.setIsOn(event.currentTarget.checked)}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
