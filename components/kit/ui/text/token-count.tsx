import { spellHidden } from "./reveal-hidden";

const estimateReason = "Counted by Handrail: a provider sent no usage, or a reply broke off.";
const format = new Intl.NumberFormat("en");

type TokenCountProps = { tokens: number; unit?: boolean; isEstimate?: boolean };

/** A number of tokens with its unit; `unit={false}` where the column says it. */
export function TokenCount({ tokens, unit = true, isEstimate = false }: TokenCountProps) {
  const count = format.format(tokens);
  return (
    <span data-numeric title={isEstimate ? spellHidden(estimateReason) : undefined}>
      {isEstimate ? <>≈&nbsp;</> : null}
      {count}
      {unit ? <>&nbsp;{tokens === 1 ? "token" : "tokens"}</> : null}
    </span>
  );
}
