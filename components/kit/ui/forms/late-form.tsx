"use client";

import { type ComponentProps, useEffect, useRef } from "react";

/**
 * A form whose `data-autofocus` field takes the focus when the form is drawn. A dialog gives the focus only once, when it opens:
 * too early for a form whose code is loading or that replaces details. In a page, the form replaces the pressed button.
 */
export function LateForm(props: ComponentProps<"form">) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    const dialog = form.current?.closest("[role=dialog]");
    const isFree = activeElement === document.body || dialog?.contains(activeElement) === true;
    if (!isFree || form.current?.contains(activeElement)) return;
    form.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus({ preventScroll: true });
  }, []);
  return <form ref={form} {...props} />;
}
