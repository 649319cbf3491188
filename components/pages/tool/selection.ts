/** Names of the selected tools, and the tool pressed last, from which Shift extends. */
export type Selection = { names: ReadonlySet<string>; last: string | null };

export const noSelection: Selection = { names: new Set(), last: null };

/**
 * Returns the selection after a press on a tool. With Shift, all tools from the last pressed one to this one get its
 * new state.
 * @param order names of the drawn tools, from top to bottom
 */
export function pressed(selection: Selection, name: string, withShift: boolean, order: readonly string[]): Selection {
  const isSelected = !selection.names.has(name);
  const [here, there] = [order.indexOf(name), selection.last === null ? -1 : order.indexOf(selection.last)];
  const range = withShift && there !== -1 ? order.slice(Math.min(here, there), Math.max(here, there) + 1) : [name];
  const names = new Set(selection.names);
  for (const one of range) {
    if (isSelected) names.add(one);
    else names.delete(one);
  }
  return { names, last: name };
}
