"use client";

import { Menu, UnstyledButton } from "@mantine/core";
import { IconKeyboard, IconLogout, IconSelector } from "@tabler/icons-react";
import { ColourSchemeItems } from "./colour-scheme";
import { useMe } from "./me";
import { signOutHere } from "./sign-out-here";
import classes from "./who-am-i.module.css";

/** The signed-in person, their role and workspace, the look, and the way out. */
export function WhoAmI({ onHelp }: { onHelp: () => void }) {
  const { actor, role, workspace } = useMe();
  return (
    <Menu position="top-start" width={220} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={classes.person}>
          <span className={classes.initial} aria-hidden>
            {actor.name.slice(0, 1).toUpperCase()}
          </span>
          <span className={classes.words}>
            <span className={classes.name}>{actor.name}</span>
            <span className={classes.role}>
              {role ?? "no role"} · {workspace.name}
            </span>
          </span>
          <IconSelector size={16} aria-hidden className={classes.more} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Look</Menu.Label>
        <ColourSchemeItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={onHelp}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={signOutHere}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
