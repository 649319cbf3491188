"use client";

import { type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { Section } from "./section";

type SettingsSectionProps<Value, Key extends QueryKey> = {
  id: string;
  title: string;
  description: string;
  query: UseQueryOptions<Value, Error, Value, Key>;
  /** Names the settings in a sentence about their absence: "the shell settings". */
  what: string;
  rows?: number;
  /** Height of a row while the settings come, in rem. */
  height?: number;
  children: (settings: Value) => ReactNode;
};

/** One part of the settings, whose form appears once its values are there. */
export function SettingsSection<Value, Key extends QueryKey>(props: SettingsSectionProps<Value, Key>) {
  const { id, title, description, query, what, rows = 1, height = 6, children } = props;
  const { data, error, refetch, isFetching } = useQuery(query);
  return (
    <Section id={id} title={title} description={description}>
      {data ? (
        children(data)
      ) : error ? (
        <ErrorState error={error} what={what} retry={() => void refetch()} retrying={isFetching} />
      ) : (
        <RowSkeletons rows={rows} height={height} what={what} />
      )}
    </Section>
  );
}
