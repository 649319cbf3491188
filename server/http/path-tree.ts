type Place<T> = { names: Map<string, Place<T>>; parameter: { name: string; place: Place<T> } | null; value: T | null };

const emptyPlace = <T>(): Place<T> => ({ names: new Map(), parameter: null, value: null });

/**
 * Builds a tree that finds the value of a path without trying every address. Only plain paths are found; paths with
 * escapes, double slashes, dots or a final slash are not, because the tree does not normalize.
 *
 * @param entries by address as in the contracts, `/api/v1/turns/{id}`
 */
export function pathTree<T>(entries: Readonly<Record<string, T>>): (path: string) => { value: T; params: Record<string, string> } | null {
  const root = emptyPlace<T>();
  for (const [address, value] of Object.entries(entries)) findPlace(root, address).value = value;
  return (path) => {
    const params: Record<string, string> = {};
    let place = root;
    for (const segment of path.slice(1).split("/")) {
      const named = place.names.get(segment);
      if (named) {
        place = named;
      } else if (place.parameter && /^[\w-]+$/.test(segment)) {
        params[place.parameter.name] = segment;
        place = place.parameter.place;
      } else {
        return null;
      }
    }
    return place.value === null || path[0] !== "/" ? null : { value: place.value, params };
  };
}

/** Returns the tree node of an address, and creates missing nodes. */
function findPlace<T>(root: Place<T>, address: string): Place<T> {
  let place = root;
  for (const segment of address.slice(1).split("/")) {
    const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (parameter) {
      place.parameter ??= { name: parameter, place: emptyPlace() };
      if (place.parameter.name !== parameter) throw new Error(`${address}: {${parameter}} is {${place.parameter.name}} in another address`);
      place = place.parameter.place;
    } else {
      const next = place.names.get(segment) ?? emptyPlace<T>();
      place.names.set(segment, next);
      place = next;
    }
  }
  return place;
}
