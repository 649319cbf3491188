/** Checks whether this machine can run a tool. Returns null when it can, else one sentence with the reason and the way out. */
export type AvailabilityCheck = () => Promise<string | null>;

/** Checks whether a workspace's settings let a tool run, as `AvailabilityCheck` does for the machine. */
export type WorkspaceAvailabilityCheck = (workspaceId: string) => Promise<string | null>;
