import { Loader } from "@mantine/core";

/** Something small is on its way; what it is, for those who do not see it turn. Size in pixels. */
export function Busy({ what, size = 18 }: { what: string; size?: number }) {
  return <Loader size={size} role="status" aria-label={what} />;
}
