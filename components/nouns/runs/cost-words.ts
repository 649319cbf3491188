const tokenFormat = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** "1.2K tokens" */
export function tokenWords(tokens: number): string {
  return `${tokenFormat.format(tokens)} ${tokens === 1 ? "token" : "tokens"}`;
}

/** Marks a figure that Handrail estimated, because a provider sent no usage or a reply broke off. */
export function estimateWords(words: string, isEstimated: boolean): string {
  return isEstimated ? `≈ ${words}` : words;
}

/** US dollars with as many digits as the amount needs. Null when a price is unknown. */
export function costWords(costUsd: number | null): string | null {
  if (costUsd === null) return null;
  if (costUsd === 0) return "$0";
  if (costUsd < 0.0001) return "< $0.0001";
  return `$${costUsd >= 1 ? costUsd.toFixed(2) : costUsd.toPrecision(2)}`;
}
