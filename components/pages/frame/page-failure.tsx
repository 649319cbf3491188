"use client";

import { Button } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { EmptyState } from "@/components/kit/ui/states/empty-state";

/** Replaces a page that failed to render. `digest` is the error's name in the log. */
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
        Nothing was lost. {digest ? `If this happens again, give an admin the error number ${digest}, which is in the log.` : null}
      </EmptyState>
    </>
  );
}

/** Replaces a page of which code failed to load. React keeps the failure, so only a reload helps. */
export function UnloadedPage() {
  return (
    <>
      <PageHeader title="Something went wrong" />
      <EmptyState
        icon={IconAlertTriangle}
        title="A part of this page could not be loaded"
        action={
          <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => window.location.reload()}>
            Reload page
          </Button>
        }
      >
        The connection was lost, or Handrail was updated. Reload the page.
      </EmptyState>
    </>
  );
}
