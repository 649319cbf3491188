/** Formats seconds: "90 seconds", "30 minutes", "2 minutes 5 seconds". */
export function timeWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes < 2) return count(seconds, "second");
  return rest === 0 ? count(minutes, "minute") : `${count(minutes, "minute")} ${count(rest, "second")}`;
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
