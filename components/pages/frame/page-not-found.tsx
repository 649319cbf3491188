"use client";

import { Button } from "@mantine/core";
import { IconMapQuestion } from "@tabler/icons-react";
import Link from "next/link";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { EmptyState } from "@/components/kit/ui/states/empty-state";

/** Page for an unknown address. */
export function PageNotFound() {
  return (
    <>
      <PageHeader title="Nothing here" />
      <EmptyState
        icon={IconMapQuestion}
        title="No page at this address"
        action={
          <Button component={Link} href="/" variant="default">
            Go to Overview
          </Button>
        }
      >
        The page was removed, or the address is wrong.
      </EmptyState>
    </>
  );
}
