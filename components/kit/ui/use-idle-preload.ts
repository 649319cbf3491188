import { useEffect } from "react";

/** Loads code while the browser is idle, so that the first click does not wait for the download. */
export function useIdlePreload(load: () => Promise<unknown>) {
  useEffect(() => {
    // Errors are ignored, because opening the view loads the code again and shows the failure.
    const preload = () => void load().catch(() => {});
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(preload, 1_000);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(preload, { timeout: 5_000 });
    return () => cancelIdleCallback(request);
  }, [load]);
}
