"use client";

import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import Link from "next/link";
import { EmptyState } from "@/components/ui/empty-state";
import { MachineText } from "@/components/ui/machine-text";
import { PageHeader } from "@/components/ui/page-header";
import { useMe } from "./me";
import { PageFailure } from "./page-failure";

const forbiddenMark = "forbidden:";

/** In place of a page that could not be drawn, or that the person may not see. `digest` is all that the browser is told. */
export function PageError({ digest, retry }: { digest: string | null; retry: () => void }) {
  const { role, workspace } = useMe();
  if (digest?.startsWith(forbiddenMark)) {
    return (
      <>
        <PageHeader title="Not for your role" />
        <EmptyState
          icon={IconLock}
          title="Your role does not include this page"
          action={
            <Button component={Link} href="/" variant="default">
              Go to the overview
            </Button>
          }
        >
          It needs <MachineText>{digest.slice(forbiddenMark.length)}</MachineText>, and your role is {role ?? "none"}. Ask an admin of{" "}
          {workspace.name}.
        </EmptyState>
      </>
    );
  }
  return <PageFailure digest={digest} retry={retry} />;
}
