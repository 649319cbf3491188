/** One Ctrl-C arrives here up to three times: from the terminal, from npm, and from npm's shell. */
const sameRequestMs = 1_000;

/** The exit code of what was asked to stop before it was done; shells answer the same for Ctrl-C. */
export const interrupted = 130;

const listeners = new Set();
let requestedAt = null;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => request());

// npm's shell does not always pass signals on, and nobody passes on a SIGKILL: when whoever started us is gone, we go.
if (["start", "dev", "build"].includes(process.env.npm_lifecycle_event ?? "")) {
  const startedBy = process.ppid;
  setInterval(() => {
    if (process.ppid !== startedBy && requestedAt === null) request();
  }, 500).unref();
}

function request() {
  const now = Date.now();
  if (requestedAt !== null && now - requestedAt < sameRequestMs) return;
  const isInsisting = requestedAt !== null;
  requestedAt ??= now;
  for (const listener of listeners) listener(isInsisting);
}

export const isStopRequested = () => requestedAt !== null;

/**
 * @param {(isInsisting: boolean) => void} listener told when somebody asks us to stop, and each time they ask again
 * @returns {() => void} ends it
 */
export function onStopRequest(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Signals a process and everything that it started in its group.
 *
 * @param {number | undefined} pid of the group's leader
 * @param {NodeJS.Signals} signal
 */
export function endGroup(pid, signal) {
  if (!pid) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}
