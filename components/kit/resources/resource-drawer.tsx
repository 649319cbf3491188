"use client";

import type { IconProps } from "@tabler/icons-react";
import { type ComponentType, Fragment, type ReactNode, useState } from "react";
import { DetailDrawer } from "@/components/kit/ui/overlays/detail-drawer";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { useIdlePreload } from "@/components/kit/ui/use-idle-preload";
import type { ResourceRow } from "./define-resource";
import type { ResourcePage } from "./use-resource-page";

type ResourceDrawerProps<Row extends ResourceRow> = {
  noun: string;
  /** State of the page, from `useResourcePage`. */
  page: Pick<ResourcePage<Row>, "id" | "isEditing" | "list" | "rows" | "close" | "edit">;
  /** Icon beside the sentence that the row is gone. */
  missingIcon: ComponentType<IconProps>;
  loadForm: () => Promise<unknown>;
  /** The form of a row, null for a new one; `leave` returns to the details or to the list. */
  form: (row: Row | null, leave: () => void) => ReactNode;
  details: (row: Row) => ReactNode;
};

/** The row that the page's address names: its details, its form, or the form of a new row. */
export function ResourceDrawer<Row extends ResourceRow>({ noun, page, missingIcon, loadForm, form, details }: ResourceDrawerProps<Row>) {
  useIdlePreload(loadForm);
  const { id, isEditing, list, rows, close, edit } = page;
  const row = rows.find((candidate) => candidate.id === id);
  const isForm = id === "new" || (row !== undefined && isEditing);
  const title = id === "new" ? `Add a ${noun}` : row ? (isEditing ? `Edit ${row.name}` : row.name) : capital(noun);
  return (
    <DetailDrawer opened={id !== null} onClose={close} title={title} holds={isForm ? "form" : "story"}>
      {id === "new" ? (
        form(null, close)
      ) : row ? (
        isEditing ? (
          <RowForm key={row.id} row={row} form={(kept) => form(kept, () => edit(false))} />
        ) : (
          <Fragment key={row.id}>{details(row)}</Fragment>
        )
      ) : list.isPending ? (
        <RowSkeletons rows={4} height={2.25} what={`the ${noun}`} />
      ) : (
        <EmptyState icon={missingIcon} title={`${capital(noun)} not found`}>
          The {noun} was removed, or the address is wrong.
        </EmptyState>
      )}
    </DetailDrawer>
  );
}

/** Keeps the row of the moment when the form opened, because the person has not seen a newer one that the list reads meanwhile. */
function RowForm<Row>({ row, form }: { row: Row; form: (row: Row) => ReactNode }) {
  const [kept] = useState(row);
  return form(kept);
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
