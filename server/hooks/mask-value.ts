import type { JsonObject } from "@/contracts/common";
import { storableObject } from "@/server/platform/database/storable";
import { maskSecrets } from "@/server/secrets/mask-secrets";
import { changeMatches } from "./json-pointer-wildcards";

/** Returns a value to store and show, with secrets masked and `***` at the given places. */
export function maskValue(value: JsonObject, places: readonly string[]): JsonObject {
  let shown = storableObject(maskSecrets(value) as JsonObject);
  for (const place of places) {
    if (place === "") return {};
    shown = changeMatches(shown, place, () => "***") as JsonObject;
  }
  return shown;
}
