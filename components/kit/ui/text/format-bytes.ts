const units = ["bytes", "kB", "MB", "GB"] as const;

/** Formats a size with a fitting unit: "512 bytes", "3.4 kB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const power = Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1_000 ** power;
  return `${amount.toLocaleString("en", { maximumFractionDigits: amount < 10 ? 1 : 0 })} ${units[power]}`;
}
