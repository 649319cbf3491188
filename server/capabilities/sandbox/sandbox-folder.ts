import path from "node:path";
import { env } from "@/server/platform/env";

/**
 * Returns a path in the data folder's sandbox part. Joined here, from names that the build cannot resolve: the build
 * inspects folders named in `path.join`, and fails at links out of the checkout.
 */
export const sandboxPath = (...names: string[]): string => path.join(/* turbopackIgnore: true */ env().dataDir, "sandbox", ...names);
