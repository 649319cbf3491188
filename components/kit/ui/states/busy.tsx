import { Loader } from "@mantine/core";

/** A small spinner; `what` names the pending work for screen readers. Size in pixels. */
export function Busy({ what, size = 18 }: { what: string; size?: number }) {
  return <Loader size={size} role="status" aria-label={what} />;
}
