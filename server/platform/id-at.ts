/** Returns the smallest or largest id of a millisecond: ids begin with their time (RFC 9562, version 7). */
export function idAt(time: number, fill: "0" | "f"): string {
  const hex = Math.max(0, Math.min(time, 2 ** 48 - 1))
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${fill.repeat(3)}-${fill === "0" ? "8" : "b"}${fill.repeat(3)}-${fill.repeat(12)}`;
}
