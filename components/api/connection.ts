/** Whether the last request of this browser reached the server. */
export type Connection = { isLost: boolean };

const reachable: Connection = { isLost: false };
const unreachable: Connection = { isLost: true };
let current = reachable;
const listeners = new Set<() => void>();

function change(next: Connection) {
  if (next === current) return;
  current = next;
  for (const tell of listeners) tell();
}

/** State of the connection, as the requests of this page report it. */
export const connection = {
  lost: () => change(unreachable),
  reached: () => change(reachable),
  read: () => current,
  readOnServer: () => reachable,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
