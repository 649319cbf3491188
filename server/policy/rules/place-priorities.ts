import { AppError } from "@/server/platform/errors";

/** Distance between neighbours, so that a rule can be put between two others without moving them. */
const priorityStep = 10;
const maxPriority = 1_000_000;
const minPriority = -1_000_000;

/** A rule in the order; `fixedPriority` is set for rules of the policy file and null for rules that need a priority. */
export type Placed = { id: string; fixedPriority: number | null };

/**
 * Computes priorities for an order, first rule first. Rules of the policy file keep their priorities, and among equal
 * priorities they come first.
 * @returns priorities by id, for the rules without a fixed priority
 * @throws AppError `conflict` when the order reverses rules of the file, or no number is left between two of them
 */
export function placePriorities(order: readonly Placed[]): Map<string, number> {
  const priorities = new Map<string, number>();
  let open: string[] = [];
  /** The highest priority that the open rules may get. */
  let ceiling: number | null = null;
  for (const { id, fixedPriority } of order) {
    if (fixedPriority === null) {
      open.push(id);
      continue;
    }
    if (ceiling !== null && fixedPriority > ceiling) {
      throw new AppError("conflict", "Rules of the policy file keep their order. Change their priorities in the file.");
    }
    place(open, { most: ceiling ?? maxPriority, least: fixedPriority + 1, isOpenAbove: ceiling === null, isOpenBelow: false });
    ceiling = fixedPriority;
    open = [];
  }
  place(open, { most: ceiling ?? maxPriority, least: minPriority, isOpenAbove: ceiling === null, isOpenBelow: true });
  return priorities;

  function place(ids: readonly string[], room: { most: number; least: number; isOpenAbove: boolean; isOpenBelow: boolean }): void {
    if (ids.length === 0) return;
    const size = room.most - room.least + 1;
    if (size < ids.length) throw new AppError("conflict", "There is no room for so many rules between two rules of the policy file.");
    const step = Math.min(priorityStep, Math.floor(size / ids.length));
    // Without bounds on both sides, priorities start at `step`, because small numbers are easy to read.
    const lowest =
      room.isOpenAbove && room.isOpenBelow ? step : room.isOpenBelow ? room.most - step * ids.length + 1 : room.least + step - 1;
    for (const [index, id] of ids.entries()) priorities.set(id, Math.min(room.most, lowest + (ids.length - 1 - index) * step));
  }
}
