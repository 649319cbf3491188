const uuidV7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** When an id was made, in milliseconds since the epoch: ids are UUIDv7 and begin with it. Null for what is none. */
export function timeOfId(id: string): number | null {
  const [, high, low] = uuidV7.exec(id) ?? [];
  return high && low ? Number.parseInt(high + low, 16) : null;
}
