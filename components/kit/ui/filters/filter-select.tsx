"use client";

import { type ComboboxData, Select } from "@mantine/core";
import { withChosen } from "./with-chosen";

type FilterSelectProps = {
  label: string;
  placeholder?: string;
  /** Choices: values, values with labels, or groups of these. */
  data: ComboboxData<string>;
  value: string | null;
  onChange: (value: string | null) => void;
  onDropdownOpen?: () => void;
  className: string | undefined;
  searchable?: boolean;
};

/** A filter with one choice; empty matches every row. */
export function FilterSelect({ label, placeholder = `Every ${label.toLowerCase()}`, ...select }: FilterSelectProps) {
  return <Select aria-label={label} placeholder={placeholder} clearable {...select} />;
}

type NameFilterProps = Omit<FilterSelectProps, "data" | "searchable"> & { names: readonly string[] };

/** A filter by name. A selected name stays listed after its tool or agent is removed. */
export function NameFilter({ names, ...select }: NameFilterProps) {
  return <FilterSelect data={withChosen(names, select.value)} searchable {...select} />;
}
