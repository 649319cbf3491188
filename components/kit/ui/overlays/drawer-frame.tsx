"use client";

import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import shared from "../shared.module.css";
import { RevealedText } from "../text/revealed-text";
import classes from "./drawer-frame.module.css";

/**
 * Kind of content. A `story` scrolls, takes the focus at its title, and leaves the page's shortcuts active. A `form`
 * (`DrawerForm`) scrolls on its own, takes the focus at the field marked `data-autofocus`, and disables the shortcuts.
 */
export type DrawerContent = "story" | "form";

type DrawerFrameProps = {
  opened: boolean;
  onClose: () => void;
  /** Width of the drawer in a wide window. */
  size: string;
  title: ReactNode;
  holds: DrawerContent;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Stays in view below a `story`. */
  footer?: ReactNode;
  children: ReactNode;
};

/** A drawer at the right. Its header and footer stay in view and never cover the scrolling content. */
export function DrawerFrame({ opened, onClose, size, title, holds, actions, footer, children }: DrawerFrameProps) {
  const isStory = holds === "story";
  return (
    <Drawer.Root opened={opened} onClose={onClose} position="right" size={size} classNames={{ content: classes.content }}>
      <Drawer.Overlay backgroundOpacity={0.25} />
      <Drawer.Content data-shortcuts={isStory || undefined}>
        <Drawer.Header className={classes.header} role="presentation">
          <Drawer.Title className={classes.title} tabIndex={-1} data-autofocus={isStory || undefined}>
            <RevealedText text={title} />
          </Drawer.Title>
          {actions}
          <Drawer.CloseButton aria-label="Close" />
        </Drawer.Header>
        <Drawer.Body className={classes[holds]}>{children}</Drawer.Body>
        {footer ? <div className={`${classes.footer} ${shared.footer}`}>{footer}</div> : null}
      </Drawer.Content>
    </Drawer.Root>
  );
}
