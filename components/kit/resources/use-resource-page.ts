"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { useRowKeys } from "@/components/kit/keyboard/use-row-keys";
import { useRefusal } from "@/components/kit/session/me";
import type { Permission } from "@/contracts/permissions";
import type { Resource, ResourceRow } from "./define-resource";
import { useResource } from "./use-resource";

type PageOptions = {
  title: string;
  /** Name of the shown row in the address: `?webhook=<id>&edit=true`. */
  address: string;
  /** Permission to change the rows. */
  permission: Permission;
  /** Reading the rows needs the permission as well. */
  isForAdmins?: boolean;
  /** False when the page reads the rows itself, because they are too many for one list. */
  readsRows?: boolean;
};

/** State of a page with the rows of a resource: the list, the row that its address names, and the changes of rows. */
export function useResourcePage<Row extends ResourceRow, Draft extends object, Created>(
  resource: Resource<Row, Draft, Created>,
  { title, address, permission, isForAdmins = false, readsRows = true }: PageOptions,
) {
  const refusal = useRefusal(permission);
  const list = useQuery({ ...resource.list(), enabled: readsRows && (!isForAdmins || refusal === null) });
  const [shown, setShown] = useQueryStates(
    { row: parseAsString, edit: parseAsBoolean.withDefault(false) },
    { history: "push", urlKeys: { row: address } },
  );
  useRowKeys(title);
  const open = (row: string | null) => void setShown({ row, edit: null });
  return {
    ...useResource(resource),
    ...{ title, refusal, list, open },
    rows: list.data?.items ?? [],
    /** Id of the row in the drawer, or `new`. */
    id: shown.row,
    isEditing: shown.edit,
    add: () => open("new"),
    close: () => open(null),
    edit: (isEditing: boolean) => void setShown({ edit: isEditing || null }),
  };
}

/** The state that drawers and rows take; drafts are the form's. */
export type ResourcePage<Row extends ResourceRow> = Omit<ReturnType<typeof useResourcePage<Row, never, unknown>>, "list"> & {
  list: { isPending: boolean };
};
