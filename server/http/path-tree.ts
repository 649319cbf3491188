type Place<T> = { names: Map<string, Place<T>>; parameter: { name: string; place: Place<T> } | null; value: T | null };

const emptyPlace = <T>(): Place<T> => ({ names: new Map(), parameter: null, value: null });

/** Finds the value of an address by its decoded segments. */
type PathTree<T> = (segments: readonly string[]) => { value: T; params: Record<string, string> } | null;

/**
 * Builds a tree that finds the value of a path without trying every address.
 *
 * @param entries by address as in the contracts, `/api/v1/turns/{id}`
 */
export function pathTree<T>(entries: Readonly<Record<string, T>>): PathTree<T> {
  const root = emptyPlace<T>();
  for (const [address, value] of Object.entries(entries)) findPlace(root, address).value = value;
  return (segments) => {
    const params: Record<string, string> = {};
    let place = root;
    for (const segment of segments) {
      const named = place.names.get(segment);
      if (named) {
        place = named;
      } else if (place.parameter && segment !== "") {
        params[place.parameter.name] = segment;
        place = place.parameter.place;
      } else {
        return null;
      }
    }
    return place.value === null ? null : { value: place.value, params };
  };
}

/**
 * Returns the segments of a path that means the same to every reader; null for a path with escapes, empty or dot segments
 * or a final slash, which only Next decodes and normalizes.
 */
export function plainSegments(path: string): readonly string[] | null {
  if (path[0] !== "/") return null;
  const segments = path.slice(1).split("/");
  return segments.every((segment) => /^(?!\.{1,2}$)[\w.-]+$/.test(segment)) ? segments : null;
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
