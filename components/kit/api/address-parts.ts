const uuid = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** Returns whether a part of an address is an id that the API accepts. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

/** Returns the timestamp that the API accepts; null for years outside 0001-9999. */
export function timestampOf(date: Date | null): string | null {
  const text = date?.toISOString() ?? "";
  return /^(?!0000)\d{4}-/.test(text) ? text : null;
}

/** Returns the members of a filter that have a value. */
export function presentOnly<Filter extends object>(filter: { [Name in keyof Filter]: Filter[Name] | null }): Filter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null && value !== undefined && value !== "")) as Filter;
}

/** Returns a text that is short enough for the API; null for a longer text. */
export function textUpTo(length: number, text: string | null): string | null {
  return text !== null && text.length <= length ? text : null;
}
