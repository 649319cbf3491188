"use client";

import { useMantineColorScheme } from "@mantine/core";
import { Spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import { IconKeyboard, IconLogout, IconSearch } from "@tabler/icons-react";
import { useGoTo } from "@/components/kit/api/waiting-navigation";
import { signOutHere } from "@/components/pages/account/sign-out-here";
import { colourSchemes } from "./colour-scheme";
import { destinations } from "./destinations";

/** Every page and the shell's own actions by name; Mod+K opens it. */
export function CommandPalette({ onHelp }: { onHelp: () => void }) {
  const goTo = useGoTo();
  const { setColorScheme } = useMantineColorScheme();
  const actions: SpotlightActionGroupData[] = [
    {
      group: "Go to",
      actions: destinations.map(({ href, label, icon: Icon }) => ({
        id: href,
        label,
        leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
        onClick: () => goTo(href),
      })),
    },
    {
      group: "Do",
      actions: [
        ...colourSchemes.map(({ scheme, label, icon: Icon }) => ({
          id: scheme,
          label: `Theme: ${label.toLowerCase()}`,
          leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
          onClick: () => setColorScheme(scheme),
        })),
        { id: "shortcuts", label: "Keyboard shortcuts", leftSection: <IconKeyboard size={18} stroke={1.6} aria-hidden />, onClick: onHelp },
        { id: "sign-out", label: "Sign out", leftSection: <IconLogout size={18} stroke={1.6} aria-hidden />, onClick: signOutHere },
      ],
    },
  ];
  return (
    <Spotlight
      actions={actions}
      attributes={{ content: { "aria-label": "Commands" } }}
      shortcut="mod + K"
      highlightQuery
      scrollable
      nothingFound="No results"
      searchProps={{
        placeholder: "Pages and commands",
        leftSection: <IconSearch size={18} aria-hidden />,
        "aria-label": "Search commands",
      }}
    />
  );
}
