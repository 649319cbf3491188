import { NumberInput, type NumberInputProps } from "@mantine/core";

type IntegerInputProps = Omit<NumberInputProps, "min" | "max"> & { range: readonly [min: number, max: number] };

/** A field for a whole number. */
export function IntegerInput({ range: [min, max], ...props }: IntegerInputProps) {
  return <NumberInput min={min} max={max} allowDecimal={false} {...props} />;
}
