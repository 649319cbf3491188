import type { JsonObject } from "@/contracts/common";
import { maskSecrets } from "@/server/audit/mask-secrets";
import { storableObject } from "@/server/platform/storable";
import { withFoundChanged } from "./every-member";

/** A value as it may be kept and shown: secrets masked, and nothing of what stands at the given places. */
export function masked(value: JsonObject, places: readonly string[]): JsonObject {
  let shown = storableObject(maskSecrets(value) as JsonObject);
  for (const place of places) {
    if (place === "") return {};
    shown = withFoundChanged(shown, place, () => "***") as JsonObject;
  }
  return shown;
}
