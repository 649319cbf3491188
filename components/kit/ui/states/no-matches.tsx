import { Button } from "@mantine/core";
import { IconSearchOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { EmptyState } from "./empty-state";

type NoMatchesProps = {
  title: string;
  /** Words on the button that clears the search and the filters. */
  clear: string;
  onClear: () => void;
  children: ReactNode;
};

/** Replaces a list of which a search and its filters leave nothing. */
export function NoMatches({ title, clear, onClear, children }: NoMatchesProps) {
  const action = (
    <Button variant="default" onClick={onClear}>
      {clear}
    </Button>
  );
  return (
    <EmptyState icon={IconSearchOff} title={title} action={action}>
      {children}
    </EmptyState>
  );
}
