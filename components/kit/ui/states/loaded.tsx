"use client";

import type { ReactNode } from "react";
import { ErrorState } from "./error-state";
import { RowSkeletons } from "./row-skeletons";

export type LoadedQuery<Data> = { data: Data | undefined; error: unknown; isFetching: boolean; refetch: () => unknown };

type LoadedProps<Data> = {
  query: LoadedQuery<Data>;
  /** Name of the content: "the tools". */
  what: string;
  /** Number of grey rows while the content loads, and their height in rem. */
  rows: number;
  height: number;
  children: (data: Data) => ReactNode;
};

/** Shows what a query found: grey rows until then, the reason when it failed. Old data outlives a failed refetch. */
export function Loaded<Data>({ query, what, rows, height, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorState error={query.error} what={what} retry={() => void query.refetch()} retrying={query.isFetching} />;
  return <RowSkeletons rows={rows} height={height} what={what} />;
}
