/** Time until an approval expires, in words, with its urgency. */
export type TimeLeft = { text: string; isLastMinute: boolean; isOver: boolean };

/** @param nowMs milliseconds since the epoch */
export function timeLeft(expiresAt: string, nowMs: number): TimeLeft {
  const seconds = Math.max(0, Math.ceil((Date.parse(expiresAt) - nowMs) / 1_000));
  return { text: inWords(seconds), isLastMinute: seconds <= 60, isOver: seconds === 0 };
}

function inWords(seconds: number): string {
  if (seconds === 0) return "expired";
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return `${minutes}:${String(seconds % 60).padStart(2, "0")} left`;
  if (minutes < 60) return `${minutes} min left`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h left` : `${hours} h ${minutes % 60} min left`;
  return `${Math.floor(hours / 24)} days left`;
}
