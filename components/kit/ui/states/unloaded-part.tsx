/** Replaces a part of the page that failed to load, because the connection was lost or the product was updated. */
export function UnloadedPart() {
  return <p role="alert">This part could not be loaded. Check the connection and reload the page.</p>;
}

/** Fallback for a failed lazy import, so that the rest of the page stays. */
export const orUnloaded = () => UnloadedPart;
