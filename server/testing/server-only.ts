/** Stands in for the package `server-only`, which throws outside React's server environment. */
export {};
