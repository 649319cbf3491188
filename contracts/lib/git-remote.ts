/** Names a remote in the place of a program, where only git's settings know its host. */
export const remoteProgram = (remote: string): string => `git remote ${remote}`;

/** Returns the remote that a program names; undefined for every other program. */
export const remoteOfProgram = (program: string | undefined): string | undefined => /^git remote (.+)$/.exec(program ?? "")?.[1];
