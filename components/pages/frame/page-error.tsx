"use client";

import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import Link from "next/link";
import { useMe } from "@/components/kit/session/me";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { PageFailure, UnloadedPage } from "./page-failure";

const forbiddenMark = "forbidden:";

type PageErrorProps = {
  digest: string | null;
  /** Code of the page failed to load. */
  isUnloaded: boolean;
  retry: () => void;
};

/** Replaces a page that failed to render or that the person may not see. The browser gets only the error's `digest`. */
export function PageError({ digest, isUnloaded, retry }: PageErrorProps) {
  const { role, workspace } = useMe();
  if (digest?.startsWith(forbiddenMark)) {
    return (
      <>
        <PageHeader title="No access" />
        <EmptyState
          icon={IconLock}
          title={role ? `${role.charAt(0).toUpperCase()}${role.slice(1)}s can't open this page` : "You can't open this page"}
          action={
            <Button component={Link} href="/" variant="default">
              Go to Overview
            </Button>
          }
        >
          It needs <CodeText>{digest.slice(forbiddenMark.length)}</CodeText>. Ask an admin of <RevealedText text={workspace.name} />.
        </EmptyState>
      </>
    );
  }
  if (isUnloaded) return <UnloadedPage />;
  return <PageFailure digest={digest} retry={retry} />;
}
