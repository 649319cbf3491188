"use client";

import { type MantineColorScheme, Menu, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";

export const colourSchemes = [
  { scheme: "auto", label: "Like the system", icon: IconDeviceDesktop },
  { scheme: "light", label: "Light", icon: IconSun },
  { scheme: "dark", label: "Dark", icon: IconMoon },
] as const satisfies readonly { scheme: MantineColorScheme; label: string; icon: unknown }[];

/** The three looks, as entries of a menu. */
export function ColourSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return colourSchemes.map(({ scheme, label, icon: Icon }) => (
    <Menu.Item
      key={scheme}
      role="menuitemradio"
      aria-checked={colorScheme === scheme}
      leftSection={<Icon size={16} aria-hidden />}
      rightSection={colorScheme === scheme ? <IconCheck size={14} aria-hidden /> : null}
      onClick={() => setColorScheme(scheme)}
    >
      {label}
    </Menu.Item>
  ));
}
