const format = new Intl.NumberFormat("en");

/** A number of tokens with its unit; `unit={false}` where the column says it. */
export function TokenCount({ tokens, unit = true }: { tokens: number; unit?: boolean }) {
  const count = format.format(tokens);
  return (
    <span data-numeric>
      {count}
      {unit ? <>&nbsp;{tokens === 1 ? "token" : "tokens"}</> : null}
    </span>
  );
}
