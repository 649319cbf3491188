/** Hosts of the namespace itself. The rest of 127/8 goes to the proxy: an admin may list a service of the machine as 127.0.0.2. */
const direct = "localhost,127.0.0.1,::1";

/** Returns the proxy's variables: those most programs read, and those of programs with names of their own. */
export function proxyEnvironment(url: string): Record<string, string> {
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    ALL_PROXY: url,
    NO_PROXY: direct,
    // curl reads only the lower-case name for http, because a CGI server sets HTTP_PROXY from a request's header.
    http_proxy: url,
    https_proxy: url,
    all_proxy: url,
    no_proxy: direct,
    // Node's fetch and http read the proxy variables only with this setting (Node 22.21, 24.0 and later).
    NODE_USE_ENV_PROXY: "1",
    npm_config_proxy: url,
    npm_config_https_proxy: url,
    npm_config_noproxy: direct,
    YARN_HTTP_PROXY: url,
    YARN_HTTPS_PROXY: url,
    PIP_PROXY: url,
  };
}
