"use client";

import { Button, Popover, Stack, Switch, Text } from "@mantine/core";
import { IconBell, IconBellOff } from "@tabler/icons-react";
import { useState } from "react";
import { ring, useAlertSettings } from "./alert-settings";

/** Sound and notifications of the desktop for new approvals, in this browser only. */
export function AlertMenu() {
  const { settings, setSettings } = useAlertSettings();
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
          <Text c="dimmed">When a call starts to wait, this browser can say so.</Text>
          <Switch label="Play a sound" checked={settings.sound} onChange={(event) => changeSound(event.currentTarget.checked)} />
          <Switch
            label="Show a notification"
            description="While this window is not in front"
            checked={settings.desktop}
            onChange={(event) => void changeDesktop(event.currentTarget.checked)}
            error={refused ? "The browser does not allow it. Allow notifications for this site in its settings." : undefined}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
