import { registerHooks } from "node:module";
import { processWide } from "./process-wide";

/** The driver's file that is mended, as packages are laid out. */
const file = /\/node_modules\/postgres\/src\/connection\.js$/;

/**
 * What postgres 3.4 gets wrong when a connection breaks with bytes not sent yet (porsager/postgres#1154 and #1208). It
 * writes to a socket that is gone, outside of any promise, which ends the process; and it keeps those bytes, so that the
 * connection never works again. Mended, the query is rejected with CONNECTION_CLOSED like every other.
 */
const mends = [
  {
    wrong: "    const x = socket.write(chunk, fn)\n",
    right: `    if (!socket) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      return false
    }
    const x = socket.write(chunk, fn)
`,
  },
  {
    wrong: "    clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)\n",
    right: "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener('data', data)\n",
  },
];

/** @throws Error when the driver is another version, which this has to be looked at for. */
export function mended(source: string): string {
  return mends.reduce((text, { wrong, right }) => {
    if (text.split(wrong).length !== 2)
      throw new Error("The Postgres driver has changed: see whether server/platform/mend-driver.ts is still needed.");
    return text.replace(wrong, () => right);
  }, source);
}

/** Mends the driver as it is loaded; called before anything loads it, by whichever bundle of ours comes first. */
export function mendDriver(): void {
  processWide("mendedDriver", () =>
    registerHooks({
      load(url, context, nextLoad) {
        const loaded = nextLoad(url, context);
        if (!file.test(url) || !loaded.source) return loaded;
        return { ...loaded, source: mended(Buffer.from(loaded.source as Uint8Array).toString("utf8")) };
      },
    }),
  );
}
