"use client";

import { AppShell, Burger, UnstyledButton } from "@mantine/core";
import { useDisclosure, useOs } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import type { ReactNode } from "react";
import { ConnectionNote } from "@/components/kit/api/connection-note";
import { useGoTo } from "@/components/kit/api/waiting-navigation";
import { ShortcutProvider, useShortcuts } from "@/components/kit/keyboard/shortcuts";
import { MeProvider } from "@/components/kit/session/me";
import { CoveredApprovalsNote } from "@/components/nouns/approvals/outbox/covered-approvals-note";
import { ApprovalWatch } from "@/components/nouns/approvals/watch/approval-watch";
import { usePendingCount } from "@/components/nouns/approvals/watch/pending-count";
import type { Me } from "@/contracts/identity/identity";
import { AccountMenu } from "./account-menu";
import { Brand } from "./brand";
import { destinations } from "./destinations";
import classes from "./frame.module.css";
import { NavLinks } from "./nav-links";
import { OpeningBar } from "./opening-bar";

// Loaded after the page, because both open only by a key or a button.
const CommandPalette = dynamic(() => import("./command-palette").then((file) => file.CommandPalette), { ssr: false });
const ShortcutHelp = dynamic(() => import("./shortcut-help").then((file) => file.ShortcutHelp), { ssr: false });

/** The frame of every signed-in page: navigation, command palette, shortcuts and account menu. */
export function Frame({ me, children }: { me: Me; children: ReactNode }) {
  return (
    <MeProvider me={me}>
      <ShortcutProvider>
        <FrameLayout>{children}</FrameLayout>
      </ShortcutProvider>
    </MeProvider>
  );
}

function FrameLayout({ children }: { children: ReactNode }) {
  const goTo = useGoTo();
  const os = useOs();
  const [navOpened, nav] = useDisclosure(false);
  const [helpOpened, help] = useDisclosure(false);
  useShortcuts([
    { keys: "mod+k", label: "Search commands", group: "Everywhere", run: spotlight.open },
    { keys: "?", label: "Show these shortcuts", group: "Everywhere", run: help.open },
    ...destinations.map(({ href, label, key }) => ({ keys: `g ${key}`, label, group: "Go to", run: () => goTo(href) })),
  ]);
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: { base: "100%", sm: 216 }, breakpoint: "sm", collapsed: { mobile: !navOpened } }}
      transitionDuration={120}
    >
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <AppShell.Header hiddenFrom="sm" className={classes.header}>
        <NavBurger opened={navOpened} onClick={nav.toggle} />
        <Link href="/" className={classes.brand} aria-label="Handrail: overview">
          <Brand />
        </Link>
      </AppShell.Header>
      <AppShell.Navbar className={classes.rail} aria-label="Pages">
        <div className={classes.top}>
          <Link href="/" className={classes.brand} aria-label="Handrail: overview" onClick={nav.close}>
            <Brand />
          </Link>
          <Burger hiddenFrom="sm" size="sm" opened onClick={nav.close} aria-label="Close the navigation" />
        </div>
        <UnstyledButton className={classes.search} onClick={spotlight.open}>
          <IconSearch size={16} aria-hidden />
          <span className={classes.searchWord}>Search</span>
          <kbd className={classes.kbd} aria-hidden>
            {os === "macos" || os === "ios" ? "⌘K" : "Ctrl K"}
          </kbd>
        </UnstyledButton>
        <NavLinks onFollow={nav.close} />
        <AccountMenu onHelp={help.open} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <div className={classes.page}>{children}</div>
      </AppShell.Main>
      <div className={classes.banners}>
        <ConnectionNote />
        <CoveredApprovalsNote />
      </div>
      <OpeningBar />
      <ApprovalWatch />
      <CommandPalette onHelp={help.open} />
      <ShortcutHelp opened={helpOpened} onClose={help.close} />
    </AppShell>
  );
}

/** The navigation button on a phone, with the number of pending approvals. */
function NavBurger({ opened, onClick }: { opened: boolean; onClick: () => void }) {
  const pending = usePendingCount();
  return (
    <span className={classes.burger}>
      <Burger
        size="sm"
        opened={opened}
        onClick={onClick}
        aria-label={pending ? `Open the navigation, ${pending} pending` : "Open the navigation"}
        aria-expanded={opened}
      />
      {pending > 0 ? <span className={classes.dot} aria-hidden /> : null}
    </span>
  );
}
