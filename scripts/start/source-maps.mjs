// Loaded before the server. Stacks name lines of our sources, as under --enable-source-maps; but that option also maps every call site that
// a library asks for, for which Node reads the whole map, and reads maps of packages.
import { setSourceMapsSupport } from "node:module";

setSourceMapsSupport(true, { nodeModules: false });
