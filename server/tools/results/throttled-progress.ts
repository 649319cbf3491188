const betweenMs = 500;

/** Limits progress to one line in half a second; a line that comes too early is left out and its text never made. */
export function throttledProgress(progress: (message: string) => void): (line: () => string) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (line) => {
    if (performance.now() - toldAt < betweenMs) return;
    toldAt = performance.now();
    progress(line());
  };
}

/** Returns a size for people, such as "3.4 MB". */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
