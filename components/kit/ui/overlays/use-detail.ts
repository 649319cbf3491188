import { parseAsString, useQueryState } from "nuqs";
import { useCallback } from "react";

/** Returns the id of the row with open details. The address holds it as `?<name>=<id>`, for links and the back button. */
export function useDetail(name: string) {
  const [id, setId] = useQueryState(name, parseAsString.withOptions({ history: "push" }));
  const open = useCallback((opened: string) => void setId(opened), [setId]);
  const close = useCallback(() => void setId(null), [setId]);
  return { id, open, close };
}
