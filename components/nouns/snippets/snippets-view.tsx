"use client";

import { useQuery } from "@tanstack/react-query";
import { ErrorState } from "@/components/kit/ui/error-state";
import { PageHeader } from "@/components/kit/ui/page-header";
import { RevealedText } from "@/components/kit/ui/revealed-text";
import { RowSkeletons } from "@/components/kit/ui/row-skeletons";
import { snippetQueries } from "./queries";

/** The snippets of the workspace. */
export function SnippetsView() {
  const { data, error, isPending, isFetching, refetch } = useQuery(snippetQueries.list());
  return (
    <>
      <PageHeader title="Snippets" description="Texts that agents read by their names." />
      {isPending ? (
        <RowSkeletons rows={3} height={2.25} what="the snippets" />
      ) : !data ? (
        <ErrorState error={error} what="the snippets" retry={() => void refetch()} retrying={isFetching} />
      ) : (
        data.items.map(({ id, name, text }) => (
          <p key={id}>
            <RevealedText text={`${name}: ${text}`} />
          </p>
        ))
      )}
    </>
  );
}
