"use client";

import type { ReactNode } from "react";
import { CopyButton } from "../text/copy-button";
import { type DrawerContent, DrawerFrame } from "./drawer-frame";

type DetailDrawerProps = {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  /** `form`: the child is a `DrawerForm`, which scrolls on its own and has its own footer. */
  holds?: DrawerContent;
  /** Buttons below the details that stay in view. */
  footer?: ReactNode;
  children: ReactNode;
};

/** Details of a row, in a drawer beside the list. */
export function DetailDrawer({ opened, onClose, title, holds = "story", footer, children }: DetailDrawerProps) {
  return (
    <DrawerFrame
      opened={opened}
      onClose={onClose}
      size="36rem"
      title={title}
      holds={holds}
      actions={<CopyButton text={() => window.location.href} what="link to this" size="md" />}
      footer={footer}
    >
      {children}
    </DrawerFrame>
  );
}
