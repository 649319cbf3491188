import { openRunStatuses, type RunStatus } from "@/contracts/browser/runs/runs";

/** Returns whether a run has not ended. */
export const isOpenRun = ({ status }: { status: RunStatus }): boolean => openRunStatuses.some((open) => open === status);
