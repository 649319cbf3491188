"use client";

import { SegmentedControl } from "@mantine/core";
import { useQueryStates } from "nuqs";
import { overviewRanges } from "@/contracts/browser/operations/overview";
import { rangeWords } from "./range-words";
import { overviewSearch } from "./search-params";

/** Selects the time range of all counts. */
export function RangeChoice() {
  const [{ range }, setSearch] = useQueryStates(overviewSearch);
  return (
    <SegmentedControl
      size="xs"
      aria-label="Range of time"
      value={range}
      onChange={(value) => void setSearch({ range: overviewRanges.find((known) => known === value) ?? null })}
      data={overviewRanges.map((value) => ({ value, label: rangeWords[value].short }))}
    />
  );
}
