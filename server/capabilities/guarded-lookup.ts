import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";

type Options = {
  mayConnect: (address: string) => boolean;
  /** Creates the error for a refused name. */
  refuse: (hostname: string) => Error;
  /** Resolves names; default: the system's resolver. */
  lookup?: LookupFunction;
};

/**
 * Resolves a name for `net.connect` and refuses it unless every address may be connected to. The caller connects to the
 * very addresses that were checked, so a second answer of the name server changes nothing.
 */
export function guardedLookup({ mayConnect, refuse, lookup = systemLookup }: Options): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      // DNS rebinding begins with one private address among public ones, so the whole name is refused.
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => mayConnect(address))) return callback(refuse(hostname), []);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
