"use client";

import { Drawer } from "@mantine/core";
import { parseAsString, useQueryState } from "nuqs";
import { type ReactNode, useCallback } from "react";
import { CopyButton } from "./copy-button";
import classes from "./detail-drawer.module.css";

/** Which row's story is open. It stands in the address as `?<name>=<id>`, so that it can be linked and the back button closes it. */
export function useDetail(name: string) {
  const [id, setId] = useQueryState(name, parseAsString.withOptions({ history: "push" }));
  const open = useCallback((opened: string) => void setId(opened), [setId]);
  const close = useCallback(() => void setId(null), [setId]);
  return { id, open, close };
}

type DetailDrawerProps = {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Where the keyboard starts: at the title, or at the field inside that is marked with `data-autofocus`. */
  startsAt?: "title" | "field";
  /** Buttons that stay in view below the story. */
  footer?: ReactNode;
  children: ReactNode;
};

/** The whole story of a row, beside the list. */
export function DetailDrawer({ opened, onClose, title, startsAt = "title", footer, children }: DetailDrawerProps) {
  return (
    <Drawer.Root opened={opened} onClose={onClose} position="right" size="36rem" classNames={{ content: classes.content }}>
      <Drawer.Overlay backgroundOpacity={0.25} />
      <Drawer.Content data-shortcuts>
        <Drawer.Header className={classes.header} role="presentation">
          <Drawer.Title className={classes.title} tabIndex={-1} {...(startsAt === "title" ? { "data-autofocus": true } : {})}>
            {title}
          </Drawer.Title>
          <CopyButton text={() => window.location.href} what="link to this" size="md" />
          <Drawer.CloseButton aria-label="Close" />
        </Drawer.Header>
        <Drawer.Body className={classes.body}>{children}</Drawer.Body>
        {footer ? <div className={classes.footer}>{footer}</div> : null}
      </Drawer.Content>
    </Drawer.Root>
  );
}
