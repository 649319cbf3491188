"use client";

import { parseAsString, useQueryState } from "nuqs";
import { type ReactNode, useCallback } from "react";
import { CopyButton } from "./copy-button";
import { type DrawerContent, DrawerFrame } from "./drawer-frame";

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
  /** A form is a `DrawerForm`, which scrolls by itself and has its own footer. */
  holds?: DrawerContent;
  /** Buttons that stay in view below the story. */
  footer?: ReactNode;
  children: ReactNode;
};

/** The whole story of a row, beside the list. */
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
