"use client";

import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type Ref, useEffect, useEffectEvent, useState } from "react";

const typingPauseMs = 250;
const maxLength = 200;

type SearchFieldProps = {
  label?: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  className: string | undefined;
  field?: Ref<HTMLInputElement>;
};

/** A search field that reports its text after a short pause. */
export function SearchField({ label = "Search", placeholder, value, onChange, className, field }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [reported, setReported] = useState(value);
  const report = useEffectEvent((text: string) => {
    setReported(text);
    onChange(text);
  });
  // Takes over a change by the back button or a link. The field's own report arrives late and must not undo what was typed since.
  if (known !== value) {
    setKnown(value);
    if (value !== reported) {
      setReported(value);
      setTyped(value);
    }
  }
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => report(typed.trim()), typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <TextInput
      ref={field ?? null}
      className={className}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={15} aria-hidden />}
      maxLength={maxLength}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // Keeps the text: browsers clear a search field on Escape.
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}
