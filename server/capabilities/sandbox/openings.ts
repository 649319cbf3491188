/** The parts of the machine outside the sandbox that one call may reach, because a rule, the default policy or a person allowed them. */
export type Openings = {
  /** Hosts of the network, `registry.npmjs.org` or `127.0.0.2:4873`; empty means no network at all. */
  hosts: readonly string[];
  /** Absolute paths outside the folder. */
  readable: readonly string[];
  /** Absolute paths outside the folder, or files inside it that are otherwise read-only (`.git/config`). */
  writable: readonly string[];
  /** Sensitive files inside the folder, relative to it, that this call may read. */
  uncovered: readonly string[];
  /** Paths and globs, relative to the folder, that people refused to have changed: read-only, which the call itself cannot lift. */
  refused: readonly string[];
  /** The call runs outside the sandbox (docker, sudo); refused when HANDRAIL_SANDBOX is `required`. */
  host: boolean;
  /** The call may run although part of the folder could not be inspected for files to protect. */
  unprotected: boolean;
};

/** The openings of a call that stays in the sandbox. */
export const noOpenings: Openings = { hosts: [], readable: [], writable: [], uncovered: [], refused: [], host: false, unprotected: false };
