/** Whether the last request of this browser reached the server. */
export type Connection = { isLost: boolean };

const reachable: Connection = { isLost: false };
const unreachable: Connection = { isLost: true };
let current = reachable;
let losses = 0;
const listeners = new Set<() => void>();

function change(next: Connection) {
  if (next === current) return;
  current = next;
  for (const tell of listeners) tell();
}

/** State of the connection, as the requests of this page report it. */
export const connection = {
  lost: () => {
    losses += 1;
    change(unreachable);
  },
  /** Number of losses so far, for a request to remember when it begins. */
  losses: () => losses,
  /** Only a request that began after the last loss shows that the connection is back, because an older answer may arrive late. */
  reached: (lossesAtStart: number) => {
    if (lossesAtStart === losses) change(reachable);
  },
  read: () => current,
  readOnServer: () => reachable,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
