"use client";

import { Drawer } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import shared from "../shared.module.css";
import { RevealedText } from "../text/revealed-text";
import classes from "./drawer-frame.module.css";
import { askToDiscard, UnsavedChanges } from "./unsaved-changes";
import { useReturnFocus } from "./use-return-focus";

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

/**
 * A drawer at the right. Its header and footer stay in view and never cover the scrolling content. It asks before it closes over
 * the changes of a form that reports them by `useUnsavedChanges`.
 */
export function DrawerFrame({ opened, onClose, size, title, holds, actions, footer, children }: DrawerFrameProps) {
  const isStory = holds === "story";
  const unsaved = useRef(false);
  useReturnFocus(opened);
  const close = () => {
    if (!unsaved.current) return onClose();
    void askToDiscard(onClose);
  };
  return (
    <Drawer.Root opened={opened} onClose={close} position="right" size={size} classNames={{ content: classes.content }}>
      <Drawer.Overlay backgroundOpacity={0.25} />
      <Drawer.Content data-shortcuts={isStory || undefined}>
        <Drawer.Header className={classes.header} role="presentation">
          <Drawer.Title className={classes.title} tabIndex={-1} data-autofocus={isStory || undefined}>
            <RevealedText text={title} />
          </Drawer.Title>
          {actions}
          <Drawer.CloseButton aria-label="Close" />
        </Drawer.Header>
        <Drawer.Body className={classes[holds]}>
          <UnsavedChanges value={unsaved}>{children}</UnsavedChanges>
        </Drawer.Body>
        {footer ? <div className={`${classes.footer} ${shared.footer}`}>{footer}</div> : null}
      </Drawer.Content>
    </Drawer.Root>
  );
}
