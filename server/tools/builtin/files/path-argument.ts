import path from "node:path";
import { z } from "zod";

/**
 * A path of a file tool, in its shortest spelling: rules see what will be opened, so that `drafts/../secrets.txt` is not
 * taken for something below `drafts/`.
 */
export const PathArgument = z.string().min(1).overwrite(path.posix.normalize);
