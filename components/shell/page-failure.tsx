"use client";

import { Button } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";

/** In place of a page that could not be drawn. `digest` is what the log calls the error. */
export function PageFailure({ digest, retry }: { digest: string | null; retry: () => void }) {
  return (
    <>
      <PageHeader title="Something went wrong" />
      <EmptyState
        icon={IconAlertTriangle}
        title="This page could not be shown"
        action={
          <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={retry}>
            Try again
          </Button>
        }
      >
        Nothing that you did is lost. {digest ? `If it stays like this, give an admin the number ${digest}: it stands in the log.` : null}
      </EmptyState>
    </>
  );
}
