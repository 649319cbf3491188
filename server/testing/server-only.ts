/** Stands in for the package `server-only`, which throws outside of React's server environment. */
export {};
