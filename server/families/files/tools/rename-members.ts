/**
 * Returns a function that renames an object's members to their own names, for objects inside arguments. Any other value
 * stays as it is, so that the schema refuses it by name.
 */
export function renameMembers(aliases: Readonly<Record<string, string>>): (value: unknown) => unknown {
  const names = new Map(Object.entries(aliases));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const given = new Set(Object.keys(value));
    // An alias beside the name itself stays, because dropping one of the two would change the call.
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const own = names.get(name);
        return [own !== undefined && !given.has(own) ? own : name, member];
      }),
    );
  };
}
