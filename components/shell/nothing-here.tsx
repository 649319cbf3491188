"use client";

import { Button } from "@mantine/core";
import { IconMapQuestion } from "@tabler/icons-react";
import Link from "next/link";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";

/** For an address that leads to nothing. */
export function NothingHere() {
  return (
    <>
      <PageHeader title="Nothing here" />
      <EmptyState
        icon={IconMapQuestion}
        title="There is no page at this address"
        action={
          <Button component={Link} href="/" variant="default">
            Go to the overview
          </Button>
        }
      >
        It may have been removed, or the link is not complete.
      </EmptyState>
    </>
  );
}
