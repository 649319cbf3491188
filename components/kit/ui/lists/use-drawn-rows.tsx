"use client";

import { Button, type ButtonProps } from "@mantine/core";
import { type ReactNode, useState } from "react";

/** Draws a long list in steps, because a browser takes seconds for a thousand rows. Returns the rows to draw, and the button for more. */
export function useDrawnRows<Row>(rows: readonly Row[], step: number, button?: ButtonProps): [drawn: readonly Row[], more: ReactNode] {
  const [max, setMax] = useState(step);
  const left = rows.length - max;
  if (left <= 0) return [rows, null];
  const more = (
    <Button variant="default" {...button} onClick={() => setMax(max + step)}>
      Show {Math.min(step, left)} more of {left}
    </Button>
  );
  return [rows.slice(0, max), more];
}
