import { AppError } from "@/server/platform/errors";

/** Between neighbours, so that a rule can be put between two without moving the others. */
const priorityStep = 10;
const highestPriority = 1_000_000;
const lowestPriority = -1_000_000;

/** A place in the order: a rule of the policy file has its priority, and one of the workspace gets one. */
export type Placed = { id: string; fixedPriority: number | null };

/**
 * Priorities that make rules be tried in this order, first place first. Rules of the policy file stay where the file
 * puts them, and between equal priorities they come first.
 * @returns by id, for the rules that have no priority of their own
 * @throws AppError `conflict` when the order turns rules of the file around, or there is no number left between two
 */
export function placePriorities(order: readonly Placed[]): Map<string, number> {
  const priorities = new Map<string, number>();
  let open: string[] = [];
  /** The priority that the open rules may have at most. */
  let ceiling: number | null = null;
  for (const { id, fixedPriority } of order) {
    if (fixedPriority === null) {
      open.push(id);
      continue;
    }
    if (ceiling !== null && fixedPriority > ceiling) {
      throw new AppError("conflict", "Rules of the policy file keep their order. Change their priorities in the file.");
    }
    place(open, { most: ceiling ?? highestPriority, least: fixedPriority + 1, isOpenAbove: ceiling === null, isOpenBelow: false });
    ceiling = fixedPriority;
    open = [];
  }
  place(open, { most: ceiling ?? highestPriority, least: lowestPriority, isOpenAbove: ceiling === null, isOpenBelow: true });
  return priorities;

  function place(ids: readonly string[], room: { most: number; least: number; isOpenAbove: boolean; isOpenBelow: boolean }): void {
    if (ids.length === 0) return;
    const size = room.most - room.least + 1;
    if (size < ids.length) throw new AppError("conflict", "There is no room for so many rules between two rules of the policy file.");
    const step = Math.min(priorityStep, Math.floor(size / ids.length));
    // Far from any bound, priorities are small numbers that people can read.
    const lowest =
      room.isOpenAbove && room.isOpenBelow ? step : room.isOpenBelow ? room.most - step * ids.length + 1 : room.least + step - 1;
    for (const [index, id] of ids.entries()) priorities.set(id, Math.min(room.most, lowest + (ids.length - 1 - index) * step));
  }
}
