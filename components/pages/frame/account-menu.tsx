"use client";

import { Menu, UnstyledButton } from "@mantine/core";
import { IconBell, IconKey, IconKeyboard, IconLogout, IconSelector } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { useMe } from "@/components/kit/session/me";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { signOutHere } from "@/components/pages/account/sign-out-here";
import classes from "./account-menu.module.css";
import { ColourSchemeItems } from "./colour-scheme";

/** Loaded on demand. */
const OwnPassword = dynamic(() => import("@/components/pages/account/own-password").then((module) => module.OwnPassword), { ssr: false });

/** Menu with the signed-in person, role and workspace, the colour scheme, and sign-out. */
export function AccountMenu({ onHelp }: { onHelp: () => void }) {
  const { actor, role, workspace } = useMe();
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <Menu position="top-start" width={220} withinPortal={false}>
        <Menu.Target>
          <UnstyledButton className={classes.person}>
            <span className={classes.initial} aria-hidden>
              <RevealedText text={actor.name.slice(0, 1).toUpperCase()} />
            </span>
            <span className={classes.words}>
              <span className={`${classes.name} ${shared.oneLine}`}>
                <RevealedText text={actor.name} />
              </span>
              <span className={`${classes.role} ${shared.oneLine} ${shared.small}`}>
                {role ?? "no role"} · <RevealedText text={workspace.name} />
              </span>
            </span>
            <IconSelector size={16} aria-hidden className={shared.dimIcon} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Theme</Menu.Label>
          <ColourSchemeItems />
          <Menu.Divider />
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={onHelp}>
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Item component={Link} href="/settings/notifications" leftSection={<IconBell size={16} aria-hidden />}>
            My notifications
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => setChanging(true)}>
            Change password
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={signOutHere}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isChanging ? <OwnPassword opened onClose={() => setChanging(false)} /> : null}
    </>
  );
}
