"use client";

import { IconDatabaseOff } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { DetailDrawer } from "@/components/ui/detail-drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { useIdlePreload } from "@/components/ui/use-idle-preload";
import type { DataSource } from "@/contracts/browser/data-sources";
import { DataSourceDetails } from "./data-source-details";

const loadForm = () => import("./data-source-form");
const DataSourceForm = dynamic(() => loadForm().then((file) => file.DataSourceForm), {
  ssr: false,
  loading: () => <RowSkeletons rows={6} height={3.5} what="the form" />,
});

type DataSourceDrawerProps = {
  /** Id of a data source, or `new`. */
  id: string | null;
  isEditing: boolean;
  sources: readonly DataSource[];
  onEdit: (isEditing: boolean) => void;
  onCreated: (id: string) => void;
  onClose: () => void;
};

/** Details of a data source, its settings, or the form for a new one. */
export function DataSourceDrawer({ id, isEditing, sources, onEdit, onCreated, onClose }: DataSourceDrawerProps) {
  useIdlePreload(loadForm);
  const source = sources.find((candidate) => candidate.id === id);
  const title = id === "new" ? "Add a data source" : source ? (isEditing ? `Edit ${source.name}` : source.name) : "Data source";
  return (
    <DetailDrawer opened={id !== null} onClose={onClose} title={title} holds={id === "new" || (source && isEditing) ? "form" : "story"}>
      {id === "new" ? (
        <DataSourceForm source={null} onSaved={onCreated} onCancel={onClose} />
      ) : !source ? (
        <EmptyState icon={IconDatabaseOff} title="Data source not found">
          The data source was removed, or the address is wrong.
        </EmptyState>
      ) : isEditing ? (
        <DataSourceForm key={source.id} source={source} onSaved={() => onEdit(false)} onCancel={() => onEdit(false)} />
      ) : (
        <DataSourceDetails key={source.id} source={source} onEdit={() => onEdit(true)} onRemoved={onClose} />
      )}
    </DetailDrawer>
  );
}
