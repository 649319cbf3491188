import path from "node:path";
import { z } from "zod";

/**
 * The path argument of file tools, normalised so that rules see the path that will be opened: `drafts/../secrets.txt`
 * must not match a rule for `drafts/`.
 */
export const PathArgument = z.string().min(1).overwrite(path.posix.normalize);
