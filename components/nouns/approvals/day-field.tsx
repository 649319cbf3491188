import { TextInput } from "@mantine/core";
import shared from "@/components/kit/ui/shared.module.css";

type DayFieldProps = { label: string; value: string | null; onChange: (day: string | null) => void };

/** A field for a day of the address, "2026-03-01". */
export function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      leftSection={<span className={shared.small}>{label}</span>}
      leftSectionWidth={48}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}
