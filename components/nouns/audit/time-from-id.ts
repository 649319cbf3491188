const uuidV7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Returns the creation time in a UUIDv7, in milliseconds since the epoch; null for other texts. */
export function timeFromId(id: string): number | null {
  const [, high, low] = uuidV7.exec(id) ?? [];
  return high && low ? Number.parseInt(high + low, 16) : null;
}
