import { LRUCache } from "lru-cache";
import { processWide } from "@/server/platform/process-wide";

/** A place in a text: its line and column from 1, and its byte from 0. */
export type KnownPlace = { line: number; column: number; byte: number };

/** Smaller files are read from their beginning, because that is as fast. */
const leastBytes = 4 * 1_048_576;
const maxFiles = 200;
const maxPlaces = 100;

/** The beginnings of next pages of large files by the files' versions, so that paging never reads a file from its beginning again. */
const placesByVersion = () => processWide("knownPlaces", () => new LRUCache<string, KnownPlace[]>({ max: maxFiles }));

/** Returns the last known place at or before a line and column. */
export function nearestPlace(version: string, { line, column }: { line: number; column: number }): KnownPlace {
  const isBefore = (place: KnownPlace) => place.line < line || (place.line === line && place.column <= column);
  const places = placesByVersion().get(version) ?? [];
  return places.filter(isBefore).reduce((best, place) => (place.byte > best.byte ? place : best), { line: 1, column: 1, byte: 0 });
}

/** Remembers a place of a large file. */
export function rememberPlace(version: string, bytes: number, place: KnownPlace): void {
  if (bytes < leastBytes) return;
  const others = (placesByVersion().get(version) ?? []).filter(({ byte }) => byte !== place.byte);
  placesByVersion().set(version, [...others.slice(-maxPlaces + 1), place]);
}
