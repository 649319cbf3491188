import { useLocalStorage } from "@mantine/hooks";

const undoMs = 5_000;
/** Time reserved for sending: a decision that arrives at the approval's expiry is too late. */
const marginMs = 3_000;

/** Whether this browser delays decisions so that they can be undone. On by default. */
export function useUndoSetting() {
  const [isOn, setIsOn] = useLocalStorage({ key: "handrail.undo-decisions", defaultValue: true, getInitialValueInEffect: false });
  return { isOn, setIsOn };
}

/** Returns how many milliseconds to hold a decision: 0 when the earliest expiry would be missed. */
export function holdMsFor(isOn: boolean, expiresAt: readonly string[], nowMs: number): number {
  if (!isOn) return 0;
  return expiresAt.some((at) => Date.parse(at) - nowMs < undoMs + marginMs) ? 0 : undoMs;
}
