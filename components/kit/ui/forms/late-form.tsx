"use client";

import { type ComponentProps, useEffect, useRef } from "react";

/**
 * A form in a dialog. Its `data-autofocus` field takes the focus also when the form is drawn after the dialog has opened, because
 * its code was loading or it replaced details: the dialog gives the focus only once.
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
