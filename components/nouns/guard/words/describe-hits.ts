/** Number of calls that a rule decided: "1,204 calls in 30 days". */
export function describeHits(hits: number | null): string {
  if (hits === null) return "counting calls…";
  if (hits === 0) return "no calls in 30 days";
  return `${hits.toLocaleString("en")} ${hits === 1 ? "call" : "calls"} in 30 days`;
}
